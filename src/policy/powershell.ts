/** Other names of commands, as PowerShell 5.1 and 7 come with them: `cmdlet: its aliases`. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  [
    'add-content: ac',
    'clear-content: clc',
    'clear-host: clear cls',
    'clear-item: cli',
    'clear-itemproperty: clp',
    'clear-variable: clv',
    'compare-object: compare diff',
    'convert-path: cvpa',
    'copy-item: copy cp cpi',
    'copy-itemproperty: cpp',
    'export-alias: epal',
    'export-csv: epcsv',
    'foreach-object: foreach %',
    'format-list: fl',
    'format-table: ft',
    'get-alias: gal',
    'get-childitem: dir gci ls',
    'get-clipboard: gcb',
    'get-command: gcm',
    'get-content: cat gc type',
    'get-history: ghy h history',
    'get-item: gi',
    'get-itemproperty: gp',
    'get-job: gjb',
    'get-location: gl pwd',
    'get-member: gm',
    'get-process: gps ps',
    'get-service: gsv',
    'get-variable: gv',
    'get-wmiobject: gwmi',
    'import-alias: ipal',
    'import-csv: ipcsv',
    'import-module: ipmo',
    'invoke-command: icm',
    'invoke-expression: iex',
    'invoke-history: ihy r',
    'invoke-item: ii',
    'invoke-restmethod: irm',
    'invoke-webrequest: curl iwr wget',
    'invoke-wmimethod: iwmi',
    'mkdir: md',
    'move-item: mi move mv',
    'move-itemproperty: mp',
    'new-alias: nal',
    'new-item: ni',
    'new-psdrive: mount ndr',
    'new-pssession: nsn',
    'new-variable: nv',
    'pop-location: popd',
    'push-location: pushd',
    'remove-item: del erase rd ri rm rmdir',
    'remove-itemproperty: rp',
    'remove-job: rjb',
    'remove-module: rmo',
    'remove-psdrive: rdr',
    'remove-variable: rv',
    'rename-item: ren rni',
    'rename-itemproperty: rnp',
    'resolve-path: rvpa',
    'select-object: select',
    'select-string: sls',
    'set-alias: sal',
    'set-clipboard: scb',
    'set-content: sc',
    'set-item: si',
    'set-itemproperty: sp',
    'set-location: cd chdir sl',
    'set-service: ssv',
    'set-variable: set sv',
    'sort-object: sort',
    'start-job: sajb',
    'start-process: saps start',
    'start-service: sasv',
    'stop-job: spjb',
    'stop-process: kill spps',
    'stop-service: spsv',
    'tee-object: tee',
    'where-object: ? where',
    'write-output: echo write',
  ].flatMap((line) => {
    const [cmdlet = '', aliases = ''] = line.split(': ');
    return aliases.split(' ').map((alias) => [alias, cmdlet] as const);
  }),
);

/** Commands that run what their words do not show, or change what names mean. */
const NOT_SIMPLE: ReadonlySet<string> = new Set(
  [
    'invoke-expression invoke-command invoke-history invoke-item start-process start-job start-threadjob foreach-object',
    'where-object measure-command trace-command register-objectevent powershell pwsh cmd wsl bash sh',
    'set-alias new-alias import-alias import-module',
  ].flatMap((line) => line.split(' ')),
);

/** A command under the one name that PowerShell has for it, whatever its case, folder or `.exe`; the rest in lower case. */
export function foldCommand(command: string): string {
  const [, name = '', rest = ''] = /^([^ ]*)(.*)$/s.exec(command.toLowerCase()) ?? [];
  const bare = name.slice(name.lastIndexOf('/') + 1).replace(/\.exe$/, '');
  return (ALIASES.get(bare) ?? bare) + rest;
}

/** Its name in lower case. Words behind it may be those of a program that tells `-o` from `-O`. */
export function lowerName(command: string): string {
  const end = command.indexOf(' ');
  return end < 0 ? command.toLowerCase() : command.slice(0, end).toLowerCase() + command.slice(end);
}

export function isSimpleCmdlet(command: string): boolean {
  return !NOT_SIMPLE.has(foldCommand(command).split(' ', 1)[0] ?? '');
}
