import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, decide } from '../../src/policy/decide.ts';

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
  (good, bad) => `${good} 'a'\\''; ${bad}`,
  (_, bad) => `"git diff" ; ${bad}`,
  (_, bad) => `git\\ diff ; ${bad}`,
  () => `"git diff"`,
  () => `git\\ diff x`,
  () => `git difftool -x evil`,
  () => `git "diff x"`,
  () => `git\u00a0diff`,
  () => `gіt diff`,
  () => `g?t diff`,
  () => `git dif[f]`,
  () => `./git diff`,
  () => `git -c core.pager=evil diff`,
];

describe('a disguise', () => {
  it('is never allowed by the prefix rule git diff:*', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...shapes), good, payload, space, (shape, good, bad, gap) => {
        const command = shape(good, bad, gap);
        seen.add(command);
        expect(bash(command)).toBe('ask');
      }),
      { numRuns: 8_000 },
    );
    expect(seen.size).toBeGreaterThan(2_000);
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
});
