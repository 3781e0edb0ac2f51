import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POLICY_LIMITS } from '../../src/core/limits.ts';
import { roughCommands, splitCommand } from '../../src/policy/shell.ts';

const UNDERSTOOD: readonly [command: string, simple: readonly string[]][] = [
  ['git diff', ['git diff']],
  ['  git \t diff  ', ['git diff']],
  ['g"it" diff', ['git diff']],
  ["g'i't \\diff", ['git diff']],
  ['echo "a b"', ['echo a\\ b']],
  ["echo 'a b' c", ['echo a\\ b c']],
  ["echo ''", ["echo ''"]],
  ["echo '$HOME' '`x`' '!'", ['echo \\$HOME \\`x\\` \\!']],
  ["ls *.md '*'", ['ls *.md \\*']],
  ['echo "a\\"b" "c\\d"', ['echo a\\"b c\\\\d']],
  ['echo a#b', ['echo a\\#b']],
  ['a; b && c || d | e |& f & g\nh', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ['a;b', ['a', 'b']],
  ['a;', ['a']],
  ['a &', ['a']],
  ['\n\na\n\n', ['a']],
  ['a &&\n b', ['a', 'b']],
  ['git diff 2>&1', ['git diff']],
  ['git diff >/dev/null 2>&1', ['git diff']],
  ['git diff 2> /dev/null | wc -l', ['git diff', 'wc -l']],
  ['bash scripts/run.sh --fast', ['bash scripts/run.sh --fast']],
  ['/bin/rm x', ['/bin/rm x']],
];

const NOT_UNDERSTOOD: readonly string[] = [
  [
    '',
    '  ',
    ';',
    'a ;; b',
    'a ; ; b',
    '; a',
    '&& a',
    'a &&',
    'a |',
    'a | | b',
    'a &&& b',
    'a ;& b',
    'a\n| b',
  ],
  [
    'echo $(x)',
    'echo `x`',
    'echo "$(x)"',
    'echo "`x`"',
    'echo $HOME',
    'echo "${X}"',
    "echo $'x'",
    'echo \\$X$Y',
  ],
  [
    'diff <(a) b',
    'a > b',
    'a >b',
    'a 2>b',
    'a>/dev/null',
    'a2>&1',
    'a &>/dev/null b',
    'a >| b',
    'a < b',
    'a >/dev/nullx',
  ],
  ['a <<EOF\nb\nEOF', 'a <<< b', 'a 2>&1x', 'a >&3', '>/dev/null', 'a && >/dev/null'],
  ['(a)', '{ a; }', '{a,b}', 'f() { a; }', 'a {b,c}', '((1))', '[[ a ]]', '[ a ]'],
  [
    'if a; then b; fi',
    'for x in y; do z; done',
    'while a; do b; done',
    'case a in b) c;; esac',
    'function f',
    'time a',
  ],
  ['FOO=x a', 'FOO+=x a', 'A[1]=x a', '"FOO=x" a', 'FOO=x'],
  [
    'eval a',
    'exec a',
    'source a',
    '. a',
    'command a',
    'builtin a',
    'env a',
    '/usr/bin/env a',
    'xargs a',
    'sudo a',
  ],
  [
    'e"v"al a',
    '\\eval a',
    'nohup a',
    'timeout 5 a',
    'trap a EXIT',
    'alias a=b',
    'hash -p /bin/rm git',
    'nice a',
  ],
  [
    'sh -c a',
    'bash',
    'bash -c a',
    '/bin/bash -c a',
    'bash +x a',
    'bash "-c" a',
    'zsh -ic a',
    'busybox sh',
    'a | sh',
  ],
  ['a \\\nb', 'a\\', 'a !x', '! a', 'a "!x"', 'a # b', '# a', 'a "b', "a 'b", 'a "b\\"'],
  [
    'a\rb',
    'a\0b',
    'a\u000bb',
    'a\u00a0b',
    'a\u3000b',
    'a\u2028b',
    'a\u200bb',
    'a\u202eb',
    'a "b\nc"',
    'a \ud800',
    'a\u0085b',
  ],
  ['g?t diff', '/bin/r[m] x', '*', '%1', '=ls', 'gіt diff', "'' a", '"a b" c', '^a^b'],
].flat();

describe('splitting a command', () => {
  it.each(UNDERSTOOD)('%j', (command, simple) => {
    expect(splitCommand(command)).toEqual(simple);
  });

  it.each(NOT_UNDERSTOOD)('does not understand %j', (command) => {
    expect(splitCommand(command)).toBeNull();
  });

  it('refuses a command that is too long', () => {
    const longest = `a ${'b'.repeat(POLICY_LIMITS.commandCharacters - 2)}`;
    expect(splitCommand(longest)).toHaveLength(1);
    expect(splitCommand(`${longest}b`)).toBeNull();
  });

  it('says the same of its own canonical spelling', () => {
    const piece = fc.constantFrom(
      'a',
      'b c',
      '"',
      "'",
      '\\',
      ' ',
      ';',
      '&&',
      '|',
      '\n',
      '*',
      '~',
      'é',
      '-',
      '/',
      '#',
    );
    let understood = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const simple = splitCommand(pieces.join(''));
        if (simple === null) return;
        understood += 1;
        expect(splitCommand(simple.join(' ; '))).toEqual(simple);
      }),
      { numRuns: 5_000 },
    );
    expect(understood).toBeGreaterThan(200);
  });

  it('is total and bounded on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const simple = splitCommand(text);
        expect(simple === null || simple.length > 0).toBe(true);
        roughCommands(text);
      }),
      { numRuns: 2_000 },
    );
    const start = performance.now();
    for (const trap of ['"', '\\', "'", ' ', ';', 'a ', '2>', '>/dev/null ', 'a;']) {
      const text = trap.repeat(POLICY_LIMITS.commandCharacters / trap.length);
      splitCommand(text);
      roughCommands(text);
    }
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('what might run in a command that was not understood', () => {
  it.each([
    ['echo $(rm -rf /)', 'rm -rf /'],
    ['FOO=1 sudo -n rm -rf /', 'rm -rf /'],
    ['sh -c "rm -rf /"', 'rm -rf /'],
    ['r\\\nm -rf /', 'rm -rf /'],
    ["`r'm' -rf /`", 'rm -rf /'],
    ['if true; then\r\nrm -rf /', 'rm -rf /'],
    ['rm${IFS}-rf', 'rm'],
  ])('%j may run %j', (command, reading) => {
    expect(splitCommand(command)).toBeNull();
    expect(roughCommands(command)).toContain(reading);
  });
});
