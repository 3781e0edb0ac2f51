import * as fc from 'fast-check';
import { Bash } from 'just-bash/browser';
import { describe, expect, it } from 'vitest';
import type { ExpansionInput } from '../../src/prompt/expand.ts';
import { fillCommand } from '../../src/prompt/fill-command.ts';

function inputOf(more: Partial<ExpansionInput> = {}): ExpansionInput {
  return {
    mode: 'default',
    arguments: undefined,
    argumentNames: [],
    declaredArguments: 0,
    variables: { CLAUDE_SKILL_DIR: '/s', SPACED: '/my dir' },
    baseDirectory: '/s',
    ...more,
  };
}

interface Case {
  readonly command: string;
  readonly args?: string;
  readonly names?: readonly string[];
  readonly text: string;
}

const FILLED: readonly Case[] = [
  { command: 'gh pr view $0 --json title', args: '123', text: 'gh pr view 123 --json title' },
  { command: 'gh pr view $0', args: "'a; rm -rf /'", text: "gh pr view 'a; rm -rf /'" },
  { command: 'echo "to: $0."', args: 'x', text: 'echo "to: x."' },
  { command: 'echo "to $0"', args: '"$(id) `id`"', text: `echo "to "'$(id) \`id\`'""` },
  { command: "echo '$who'", args: '"a\'b"', names: ['who'], text: String.raw`echo '''a'\''b'''` },
  { command: 'npm test $ARGUMENTS', args: 'a "b c"', text: "npm test a 'b c'" },
  { command: 'npm test $ARGUMENTS', text: 'npm test ' },
  { command: 'echo "$ARGUMENTS"', args: 'a "b"', text: `echo ""'a "b"'""` },
  { command: 'echo x$ARGUMENTS', args: 'a b', text: "echo x'a b'" },
  { command: 'echo $who.', names: ['who'], text: "echo ''." },
  { command: "awk '{print $1}' $0", args: 'f g', text: "awk '{print $1}' f" },
  { command: 'python3 ${CLAUDE_SKILL_DIR}/x.py $0', args: '"a b"', text: "python3 /s/x.py 'a b'" },
  { command: '{baseDir}/run $0 -- $1', args: 'a -v', text: '/s/run a -- -v' },
  { command: 'cat ${SPACED}/x "${SPACED}"', text: `cat '/my dir'/x ""'/my dir'""` },
  { command: 'echo $(cat ${CLAUDE_SKILL_DIR}/v) > x', text: 'echo $(cat /s/v) > x' },
  { command: String.raw`echo \$0 $HOME $9`, args: 'a', text: String.raw`echo \$0 $HOME $9` },
  { command: 'test -f $0 && echo yes || echo no', args: '*', text: "test -f '*' && echo yes || echo no" },
];

/** Where an argument could be more than text. */
const REFUSED: readonly Omit<Case, 'text'>[] = [
  { command: '$0 --version', args: 'rm' },
  { command: 'FOO=$0 make', args: 'x' },
  { command: 'bash -c "echo $0"', args: 'x' },
  { command: 'bash $0', args: 'x' },
  { command: 'eval $0', args: 'x' },
  { command: 'echo $(basename $0)', args: 'x' },
  { command: 'echo "$(basename "$0")"', args: "'$(id)'" },
  { command: 'cat <<E\n$0\nE', args: 'x' },
  { command: 'echo hi # $0', args: '"a\nid"' },
  { command: '(( $0 ))', args: "'a[$(id)]'" },
  { command: 'echo $0', args: '"a\nb"' },
  { command: 'echo $0', args: '"a\u0000b"' },
  { command: 'echo > $0', args: '/etc/passwd' },
  { command: 'git diff $0', args: '--output=x' },
  { command: 'git diff "$0"', args: '--output=x' },
  { command: 'git diff $a$b', args: '"" --output=x', names: ['a', 'b'] },
  { command: 'git diff $ARGUMENTS', args: 'main -x' },
  { command: 'awk "/$who/"', args: '"/{system(\\"id\\")}/"', names: ['who'] },
  { command: 'python3 -c "print($0)"', args: '"1)"' },
  { command: 'sed -e $0 f', args: '1e' },
  { command: 'ssh host ls $0', args: "'$(id)'" },
  { command: 'cat ${SPACED}/$(x)' },
  { command: 'echo "unclosed $0', args: 'x' },
  { command: `echo ${'$ARGUMENTS '.repeat(100)}`, args: 'x'.repeat(1000) },
];

describe('fillCommand', () => {
  it.each(FILLED)('fills in $command with $args', ({ command, args, names, text }) => {
    const input = inputOf({
      arguments: args,
      argumentNames: names ?? [],
      declaredArguments: names?.length ?? 0,
    });
    expect(fillCommand(command, input, 'bash')).toMatchObject({ ok: true, value: { text } });
  });

  it.each(REFUSED)('refuses $command with $args', ({ command, args, names }) => {
    const input = inputOf({
      arguments: args,
      argumentNames: names ?? [],
      declaredArguments: names?.length ?? 0,
    });
    expect(fillCommand(command, input, 'bash').ok).toBe(false);
  });

  it('quotes for bash only', () => {
    expect(fillCommand('Get-Item $0', inputOf({ arguments: 'x' }), 'powershell').ok).toBe(false);
    expect(fillCommand('Get-Item {baseDir}', inputOf(), 'powershell')).toEqual({
      ok: true,
      value: { text: 'Get-Item /s', usesArguments: false },
    });
  });

  it('gives a shell every argument as it is, in any quotes, or refuses', async () => {
    const argument = fc.string({
      unit: fc.constantFrom(
        ...Array.from('a0 \t\'"\\$`;&|<>(){}[]*?~!#=%@^-,.:/+_é👍'),
        '$(id)',
        '`id`',
        '${IFS}',
        '&& id',
        "'; id; '",
        '"; id; "',
        '\\"',
        '日本',
      ),
      minLength: 1,
      maxLength: 8,
    });
    const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(argument, argument, async (first, second) => {
        const input = inputOf({
          arguments: `${quoted(first)} ${quoted(second)}`,
          argumentNames: ['a', 'b'],
          declaredArguments: 2,
        });
        const command = `printf '[%s]' -- $a "$a" '$a' "x$b" x'$b'y $ARGUMENTS`;
        const filled = fillCommand(command, input, 'bash');
        if (!filled.ok) return;
        ran += 1;
        const { stdout } = await new Bash({ executionLimitProfile: 'hardened' }).exec(filled.value.text, {
          rawScript: true,
        });
        const words = [first, first, first, `x${second}`, `x${second}y`, first, second];
        expect(stdout.replace(/^\[--\]/, '')).toBe(words.map((word) => `[${word}]`).join(''));
      }),
      { numRuns: 1000 },
    );
    // Refusing everything would be no answer.
    expect(ran).toBeGreaterThan(900);
  }, 60_000);
});
