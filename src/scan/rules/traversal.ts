import type { PatternRule } from '../rule.ts';

const base = { category: 'traversal', version: 1, reads: 'command', reach: 'line', caution: true } as const;

export const TRAVERSAL: readonly PatternRule[] = [
  {
    ...base,
    id: 'climbs-to-system-files',
    severity: 'critical',
    message: 'a path climbs out of the skill to files of the system or of its user',
    remediation: 'Name files of the skill only.',
    words: [['../..', '..\\..', '..%2f', '%2e%2e', '..;/', '....//', 'file://']],
    pattern:
      /(?:(?:\.\.[/\\]|\.\.%2f|%2e%2e(?:%2f|\/)|\.\.\.\.\/\/){2,12}(?:[\w.-]{1,40}[/\\]){0,3}(?:etc(?:[/\\]|%2f)(?:passwd|shadow|hosts|sudoers|ssh)|root[/\\]|proc[/\\]|home[/\\]\w|Users[/\\]\w|\.ssh\b|\.aws\b|\.env\b|\.claude\b|\.gnupg|\.bashrc|\.zshrc|\.git[/\\](?:hooks|config)|Windows[/\\]|var[/\\]log|id_rsa)|\bfile:\/\/\/(?:etc|root|proc|home|Users)\/[^\s"'`)]{0,80}(?:passwd|shadow|\.ssh|\.aws|environ|\.env|credentials|id_rsa))/gi,
    finds: [{ path: 'a.sh', text: 'cat ../../../../etc/passwd\n' }, 'Read `../../.ssh/config` as well.'],
    leaves: ['See [the guide](../../docs/guide.md).'],
  },
  {
    ...base,
    id: 'climbs-out',
    severity: 'warn',
    caution: false,
    message: 'a path climbs far out of the skill',
    remediation: 'Name files of the skill only, or of the project from its root.',
    words: [['../../..', '..\\..\\..', 'parents[', "'..', '..'", '"..", ".."', '.parent.parent.parent']],
    pattern:
      /(?:(?:\b(?:cat|cp|mv|rm|source|open|read\w*|write\w*|ln|tar|less|head|include|require|import|sys\.path\.\w+|join|from)\b|<|>)[^\n]{0,80}(?:\.\.[/\\]){3,12}[\w.]|(?:["']\.\.["']\s*,\s*){2}["']\.\.["']|\.parents\[\s*[4-9]\s*\]|(?:\.parent){4,})/g,
    unless: /from\s+["'](?:\.\.\/)+|import\s+[^\n]*["'](?:\.\.\/)+|require\(["'](?:\.\.\/)+/,
    finds: [{ path: 'a.sh', text: 'cp ../../../secret.txt .\n' }],
    leaves: [{ path: 'a.ts', text: 'import { a } from "../../../src/a";\n' }],
  },
  {
    ...base,
    id: 'links-out',
    severity: 'critical',
    message: 'a link leads from the skill or the project to files of the system or of its user',
    remediation: 'Remove the link.',
    words: [['ln -', 'symlink', 'os.link', 'mklink', '-itemtype symboliclink']],
    pattern:
      /(?:\bln\s+(?:-\w+\s+){1,3}["']?(?:\/(?:etc|root|proc|home|Users)\b|~\/\.(?:ssh|aws|gnupg|claude|config|env)|\$HOME\/?\.(?:ssh|aws|gnupg|claude|config)|\/\s|~\/?\s|\$HOME\/?["']?\s|(?:\.\.\/){2,12}(?:etc|root|\.ssh|\.aws))|\b(?:os\.symlink|symlinkSync|symlink|symlink_to)\(\s*["'`]?[^\n]{0,40}(?:\/etc\/|\/root|\.ssh|\.aws|expanduser\(\s*["']~|homedir\(\))|\bmklink\b[^\n]{0,80}(?:Users|Windows))/g,
    finds: [
      { path: 'a.sh', text: 'ln -s /etc/passwd notes.txt\n' },
      { path: 'b.sh', text: 'ln -sf ~/.ssh keys\n' },
    ],
    leaves: [{ path: 'a.sh', text: 'ln -s ../lib/tool bin/tool\n' }],
  },
  {
    ...base,
    id: 'reads-system-files',
    severity: 'warn',
    message: 'files that say who uses the machine, or what its processes know, are read',
    remediation: 'Remove it; a skill works with the files of its task.',
    words: [
      [
        '/etc/passwd',
        '/etc/group',
        '/proc/',
        '/etc/sudoers',
        '/etc/machine-id',
        '/dev/mem',
        '/dev/kmem',
        'system32\\config',
        '/etc/ssh',
      ],
    ],
    pattern:
      /(?:(?:\b(?:cat|less|head|tail|grep|cut|awk|sed|cp|base64|strings|xxd|tar)\b|<)[^\n|;]{0,80}(?:\/etc\/(?:passwd|group|sudoers|machine-id|ssh\/)|\/proc\/(?:self|\d+|\$\w+|\*)\/(?:environ|maps|mem|cmdline|fd)|\/dev\/k?mem\b)|\b(?:open|readFileSync|readFile|read_text|Path|File\.read)\(?\s*["'`](?:\/etc\/(?:passwd|group|sudoers|machine-id)|\/proc\/(?:self|\d+)\/(?:environ|maps|mem)))/g,
    finds: [
      { path: 'a.py', text: 'open("/etc/passwd").read()\n' },
      { path: 'b.sh', text: 'cat /proc/self/environ\n' },
    ],
    leaves: [{ path: 'a.sh', text: 'cat /proc/cpuinfo\n' }],
  },
  {
    ...base,
    id: 'unpacks-anywhere',
    severity: 'warn',
    message: 'an archive may be unpacked to wherever it says',
    remediation: 'Unpack into an empty folder, and refuse names that lead out of it.',
    words: [
      [
        'absolute-names',
        'tar -p',
        'tar xp',
        'tar -xp',
        'tar xzp',
        '-c /',
        'extractall',
        'unzip -:',
        '--directory=/',
      ],
    ],
    pattern:
      /(?:\btar\b[^\n]{0,80}(?:--absolute-names|\s-\w{0,6}P\w{0,4}\b[^\n]{0,40}|(?:-C|--directory[= ])\s?\/(?:\s|$|etc|usr|root|home))|\bextractall\(\s*(?:path\s?=\s?)?["']\/(?:["']|etc|usr|root|home)|\bunzip\b[^\n]{0,60}-:)/g,
    finds: [{ path: 'a.sh', text: 'tar xzf bundle.tgz -C /\n' }],
    leaves: [{ path: 'a.sh', text: 'tar xzf bundle.tgz -C build\n' }],
  },
  {
    ...base,
    id: 'writes-system-files',
    severity: 'critical',
    message: 'files of the system are written',
    remediation: 'Remove it; a skill writes files of its task.',
    words: [['/etc/', '/usr/', 'system32', '/bin/', '/boot/', '/sbin/']],
    pattern:
      /(?:(?<![-=0-9&])>{1,2}\s*["']?\/(?:etc\/(?!hosts\b|resolv|apt\/sources|cron|systemd|profile|ld\.so|sudoers|pam|nginx|docker|wireguard|openvpn|netplan|haproxy|prometheus|default|yum|caddy|environment)|usr\/(?:bin|lib|sbin)\/|bin\/|sbin\/|boot\/)[\w.-]+|\b(?:open|writeFileSync|write_text)\(\s*["'`]\/(?:etc|usr\/bin|bin|sbin|boot)\/[^"'`\n]{1,80}["'`]\s*,\s*["'](?:w|a)|\b(?:cp|mv|install)\s+(?:-\w+\s+){0,3}\S{1,80}\s+["']?\/(?:usr\/bin|bin|sbin|boot)\/(?:ls|sh|bash|sudo|ssh|git|cat|ps|login|su|node|python3?|curl)\b)/g,
    finds: [
      { path: 'a.sh', text: 'cp ./x /usr/bin/ssh\n' },
      { path: 'b.sh', text: 'echo x > /etc/issue\n' },
    ],
    leaves: [
      { path: 'a.sh', text: 'wg genkey > /etc/wireguard/private.key\n' },
      { path: 'a.sh', text: 'cp tool /usr/local/bin/tool\necho x > /dev/null\n' },
    ],
  },
  {
    ...base,
    id: 'unpacks-unchecked',
    severity: 'warn',
    caution: false,
    message: 'a tar archive is unpacked with whatever paths it names',
    remediation: 'Pass filter="data", which refuses names that lead out of the folder.',
    words: [['extractall('], ['tarfile']],
    pattern: /\.extractall\([^\n]{0,120}/g,
    unless: /filter\s*=/,
    beside: /\btarfile\.open\(/,
    finds: [{ path: 'a.py', text: 'import tarfile\ntarfile.open(name).extractall("out")\n' }],
    leaves: [{ path: 'a.py', text: 'import tarfile\ntarfile.open(name).extractall("out", filter="data")\n' }],
  },
  {
    ...base,
    id: 'path-from-request',
    severity: 'warn',
    caution: false,
    message: 'a server opens a file by a name that its visitors send',
    remediation: 'Resolve the path, and refuse what is not below the folder.',
    words: [
      ['createreadstream', 'readfile', 'sendfile', 'send_file', 'open('],
      ['searchparams', 'req.query', 'req.params', 'est.args', 'est.query'],
    ],
    pattern:
      /\b(?:createReadStream|readFile(?:Sync)?|sendFile|send_file|open)\(\s*["'`][^"'`\n]{0,40}["'`]\s*\+\s*\w/g,
    finds: [{ path: 'a.js', text: "const n = req.query.name;\nfs.readFile('./docs/' + n, done);\n" }],
    leaves: [{ path: 'a.js', text: "const n = req.query.name;\nfs.readFile('./docs/index.html', done);\n" }],
  },
];
