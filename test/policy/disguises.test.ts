import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, decide } from '../../src/policy/decide.ts';
import { CASES } from './cases.ts';

const ALLOW_DIFF = compileRules([{ effect: 'allow', pattern: 'Bash(git diff:*)', layer: 'organisation' }]);
const DENY_RM = compileRules([
  { effect: 'allow', pattern: 'Bash', layer: 'organisation' },
  { effect: 'deny', pattern: 'Bash(rm:*)', layer: 'organisation' },
]);

function bash(input: string, rules = ALLOW_DIFF) {
  return decide({ kind: 'tool', tool: 'Bash', input }, rules, null).decision;
}

const payload = fc.constantFrom(
  'rm -rf /',
  'r\\m -rf /',
  '"rm" -rf /',
  '/bin/rm -rf /',
  "'r'm -rf ~",
  'rm\t-rf\t/',
);
const good = fc.constantFrom(
  'git diff',
  'git diff --stat',
  'g"it" diff',
  "git 'diff' HEAD~1",
  'git  diff\t-p',
);
const space = fc.constantFrom('', ' ', '\t', '  ');

/** Every way we know to run something beside, around, inside or instead of `git diff`. Each runs the payload in some shell. */
const shapes: readonly ((good: string, bad: string, gap: string) => string)[] = [
  ...[
    ';',
    '&&',
    '||',
    '|',
    '|&',
    '&',
    '\n',
    '\n\n',
    ';\n',
    '&\n',
    '&&\n',
    '\r\n',
    '; \\\n',
    ' 2>&1;',
    ' >/dev/null |',
  ].flatMap((separator) => [
    (good: string, bad: string, gap: string) => `${good}${gap}${separator}${gap}${bad}`,
    (good: string, bad: string, gap: string) => `${bad}${gap}${separator}${gap}${good}`,
    (good: string, bad: string, gap: string) => `${good}${separator}${good}${gap}${separator}${bad}`,
  ]),
  ...[
    '$(#)',
    '`#`',
    '"$(#)"',
    '"`#`"',
    '<(#)',
    '>(#)',
    '${x:-$(#)}',
    '$((x[$(#)]))',
    "$(echo '')$(#)",
    '"a$(#)b"',
  ].map(
    (hole) => (good: string, bad: string, gap: string) => `${good} ${gap}${hole.replace('#', () => bad)}`,
  ),
  (good, bad) => `(${bad}) ; ${good}`,
  (good, bad) => `${good}; { ${bad}; }`,
  (good, bad) => `${good} # fine\n${bad}`,
  (good, bad) => `# ${good}\n${bad}`,
  (good, bad) => `${good} <<EOF\n$(${bad})\nEOF`,
  (good, bad) => `${good} <<'EOF'\nEOF\n${bad}`,
  (good, bad) => `${good} <<< "$(${bad})"`,
  (good, bad) => `if ${good}; then ${bad}; fi`,
  (good, bad) => `while ${good}; do ${bad}; done`,
  (good, bad) => `f() { ${bad}; }; f; ${good}`,
  (good, bad) => `git() { ${bad}; }; ${good}`,
  (good, bad) => `alias git='${bad}'\n${good}`,
  (good, bad) => `trap '${bad}' EXIT; ${good}`,
  (good, bad) => `GIT_EXTERNAL_DIFF='${bad}' ${good}`,
  (good) => `PATH=/tmp/evil ${good}`,
  (good) => `export PATH=/tmp/evil; ${good}`,
  (good, bad) => `sh -c "${good}; ${bad}"`,
  (good, bad) => `eval ${good} ';' ${bad}`,
  (good, bad) => `${good} | xargs ${bad}`,
  (good, bad) => `${good} && env ${bad}`,
  (good, bad) => `${good} | while read x; do ${bad}; done`,
  (good) => `${good} > ~/.bashrc`,
  (good) => `${good} 2>>$HOME/.profile`,
  (good) => `${good} &> /etc/passwd`,
  (good) => `${good} >&evil`,
  (good) => `${good} 2>/dev/null/../../evil`,
  (good) => `${good} $EVIL`,
  (good) => `${good} "\${EVIL@P}"`,
  (good) => `${good} {a,b}`,
  (good) => `${good} !!`,
  (good) => `${good} "x ; rm -rf /`,
  (good, bad) => `${good} &>/dev/null ${bad}`,
  (_, bad) => `"git diff" ; ${bad}`,
  (_, bad) => `git\\ diff ; ${bad}`,
  () => `"git diff"`,
  () => `git\\ diff x`,
  () => `git difftool -x evil`,
  () => `git "diff x"`,
  (good) => `${good}; $'\\x72\\x6d' -rf /`,
  (good) => `${good} | $'\\162\\155' -rf /`,
  (good) => `${good}; $(printf '\\162\\155') -rf /`,
  (good) => `${good}; echo cm0gLXJmIC8K | base64 -d | sh`,
  (good) => `${good} && printf '%b' '\\0162\\0155 -rf /' | bash`,
  (good) => `${good}; eval "$(echo 726d202d7266202f | xxd -r -p)"`,
  (good) => `${good}; python3 -c 'import os; os.system("rm -rf /")'`,
  (good, bad) => `X='${bad}'; ${good}; $X`,
  (good, bad) => `X='${bad}' ; eval "$X" ; ${good}`,
  (good) => `a=r b=m; ${good}; $a$b -rf /`,
  (good) => `IFS=,; ${good}; cmd=rm,-rf,/; $cmd`,
  (good) => `${good}; "\${SHELL}" -c 'rm -rf /'`,
  (good) => `${good}; \${0} -c 'rm -rf /'`,
  (good) => `${good} \${IFS}; rm\${IFS}-rf\${IFS}/`,
  (good, bad) => `alias gd='${bad}'; gd; ${good}`,
  (good, bad) => `git config alias.diff '!${bad}'; ${good}`,
  (good, bad) => `hash -p /bin/rm git; ${good}; ${bad}`,
  (good, bad) => `cat <<-EOF | sh\n\t${bad}\n\tEOF\n${good}`,
  (good, bad) => `sh <<'EOF'\n${good}\n${bad}\nEOF`,
  (good, bad) => `${good} <<< 'x' ; ${bad}`,
  (good, bad) => `${good} | tee >(${bad})`,
  (good, bad) => `coproc ${bad}; ${good}`,
  (good, bad) => `time ${bad} | ${good}`,
  (good, bad) => `! ${bad} || ${good}`,
  (good, bad) => `[[ -n "$(${bad})" ]] && ${good}`,
  (good, bad) => `case x in x) ${bad};; esac; ${good}`,
  (good, bad) => `for x in 1; do ${bad}; done; ${good}`,
  (good, bad) => `find . -exec ${bad} \\; ; ${good}`,
  (good) => `${good} 1>x`,
  (good) => `${good} >|x`,
  (good) => `${good} <>x`,
  (good) => `${good} 3>&1 >x`,
  (good) => `${good} --output=x > x`,
  (good) => `${good} --output=/etc/profile`,
  (good) => `${good} --output /etc/profile`,
  (good) => `${good} --outp=x`,
  (good) => `${good} --ou"tpu"t=x`,
  (good) => `${good} --stat --ext-diff`,
  (good) => `${good} --ext`,
  (good) => `${good} -- --output=x`,
  (good) => `${good} -[-]output=x`,
  (good) => `${good} --out*`,
  (good, bad) => `{rm,-rf,/}; ${good}${bad}`,
  (good, bad) => `${good} &! ${bad}`,
  (good, bad) => `${good} &| ${bad}`,
  (good, bad) => `${good} =(${bad})`,
  (good) => `${good} *(e:rm:)`,
  (good) => `${good} $[a[1]]`,
  (good, bad) => `exec ${bad}; ${good}`,
  (good, bad) => `command ${bad} && ${good}`,
  (good, bad) => `builtin eval ${bad} && ${good}`,
  (good, bad) => `env -S "${bad}" ${good}`,
  (good, bad) => `systemd-run ${bad} && ${good}`,
  (good, bad) => `setarch x86_64 ${bad} | ${good}`,
  (good, bad) => `ssh-agent ${bad} ; ${good}`,
  (good, bad) => `echo x | entr ${bad} ; ${good}`,
  (good, bad) => `bwrap --bind / / ${bad} ; ${good}`,
  (good, bad) => `mapfile -C '${bad}' -c 1 x ; ${good}`,
  (good, bad) => `compgen -C '${bad}' ; ${good}`,
  (good) => `declare PATH=/tmp/evil ; ${good}`,
  (good) => `typeset -x GIT_PAGER=evil ; ${good}`,
  (good) => `read PATH ; ${good}`,
  (good) => `printf -v PATH /tmp/evil ; ${good}`,
  (good, bad) => `test -v 'x[$(${bad.replaceAll("'", '')})]' ; ${good}`,
  (good, bad) => `let 'x[$(${bad.replaceAll("'", '')})]' ; ${good}`,
  (good, bad) => `unset 'x[$(${bad.replaceAll("'", '')})]' ; ${good}`,
  (good) => `${good}\u2028rm -rf /`,
  (good) => `${good}\u0000; rm -rf /`,
  (good) => `${good}\r; rm -rf /`,
  (good) => `${good}；rm -rf /\n;`,
  () => `git\u200bdiff`,
  () => `git\u00a0diff`,
  () => `gіt diff`,
  () => `g?t diff`,
  () => `git dif[f]`,
  () => `./git diff`,
  () => `git -c core.pager=evil diff`,
];

/** Leaves a quote open: twice in one another they would close each other, and be words of `git diff`. */
const openQuote = (good: string, bad: string): string => `${good} 'a'\\''; ${bad}`;

const POWERSHELL = [
  'git diff \\; rm -r -fo /',
  'git diff "a\\"; rm x; "',
  'git diff ‘a’; rm x',
  'git diff ’ ; rm x’',
  'git diff `; rm x',
  'git diff `\n; rm x',
  'git diff @(rm x)',
  'git diff | % { rm $_ }',
  'git diff; & rm x',
  'git diff\rrm x',
  'git diff --% ; rm x',
  'git diff -OutVariable:x > y',
  'git diff --output=x',
  'git diff “$(rm x)”',
  'git diff –x; rm x',
  '. git diff',
];

/** Each changes what the commands behind it mean, or runs what is written in it. */
const SHELL_STATE = [
  'export PATH=/tmp/evil',
  'declare -x PATH=/tmp/evil',
  'read PATH',
  'printf -v PATH x',
  "printf '%d' 'x[$(rm)]'",
  "test -v 'x[$(rm)]'",
  "test 'x[`rm`]' -eq 0",
  "let 'x[$(rm)]'",
  'mapfile -C rm x',
  'compgen -C rm',
  'fc -s',
  'set -o history',
  'systemd-run rm',
  'fakeroot rm',
  'prlimit rm',
  'at now',
];

describe('a disguise', () => {
  it('is never allowed by the prefix rule git diff:*, alone or inside of another', () => {
    const seen = new Set<string>();
    const shape = fc.constantFrom(...shapes);
    const { disguised } = fc.letrec<{ disguised: string }>((tie) => ({
      disguised: fc.oneof(
        { depthSize: 'small', maxDepth: 2 },
        fc
          .tuple(fc.constantFrom(...shapes, openQuote), good, payload, space)
          .map(([shape, ...parts]) => shape(...parts)),
        fc.tuple(shape, good, tie('disguised'), space).map(([shape, ...parts]) => shape(...parts)),
      ),
    }));
    fc.assert(
      fc.property(disguised, (command) => {
        seen.add(command);
        expect(bash(command)).toBe('ask');
      }),
      { numRuns: CASES * 1.2 },
    );
    expect(seen.size).toBeGreaterThan(5_000);
  });

  it('is not what the rule is for', () => {
    fc.assert(
      fc.property(
        good,
        good,
        fc.constantFrom(';', '&&', '|', '\n', ' 2>&1 | ', ' &'),
        (one, other, separator) => {
          expect(bash(one)).toBe('allow');
          expect(bash(`${one}${separator}${other}`)).toBe('allow');
        },
      ),
    );
  });

  it('of a denied command is never allowed, even where Bash is trusted whole', () => {
    const around: readonly ((bad: string) => string)[] = [
      (bad) => bad,
      (bad) => `git diff; ${bad}`,
      (bad) => `echo $(${bad})`,
      (bad) => `FOO=1 ${bad}`,
      (bad) => `sudo -n ${bad}`,
      (bad) => `sh -c '${bad.replaceAll("'", '')}'`,
      (bad) => `if true; then ${bad}; fi`,
      (bad) => `(${bad})`,
      (bad) => `r$@m -rf / # ${bad}`,
      (bad) => `${bad} > x`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...around), payload, (shape, bad) => {
        expect(bash(shape(bad), DENY_RM)).not.toBe('allow');
      }),
      { numRuns: 500 },
    );
    expect(bash('git diff; ls', DENY_RM)).toBe('allow');
    expect(bash('ls *.md', DENY_RM)).toBe('allow');
  });

  it('is not allowed in PowerShell either, which reads quotes and separators in its own way', () => {
    const rules = compileRules([
      { effect: 'allow', pattern: 'PowerShell(git diff:*)', layer: 'organisation' },
    ]);
    const decided = (input: string) =>
      decide({ kind: 'tool', tool: 'PowerShell', input }, rules, null).decision;
    fc.assert(
      fc.property(fc.constantFrom(...shapes, openQuote), good, payload, space, (shape, ...parts) => {
        expect(decided(shape(...parts))).toBe('ask');
      }),
      { numRuns: 2_000 },
    );
    for (const input of POWERSHELL) expect([input, decided(input)]).toEqual([input, 'ask']);
    expect([decided('git diff'), decided('git  diff --stat src/a.ts')]).toEqual(['allow', 'allow']);
  });

  it.each(SHELL_STATE)('%j is allowed by no rule about its own first word', (command) => {
    const [name = ''] = command.split(' ');
    const pattern = `Bash(${name}:*)`;
    expect(bash(command, compileRules([{ effect: 'allow', pattern, layer: 'organisation' }]))).toBe('ask');
  });
});
