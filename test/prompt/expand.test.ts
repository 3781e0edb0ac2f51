import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROMPT_LIMITS } from '../../src/core/limits.ts';
import { type ExpansionInput, expandCode, expandPrompt } from '../../src/prompt/expand.ts';
import { ExpansionMode } from '../../src/prompt/expansion-mode.ts';
import { shellCommands } from '../../src/prompt/shell-commands.ts';

/** What most tests do not speak of. */
function inputOf(more: Partial<ExpansionInput> = {}): ExpansionInput {
  return {
    mode: 'default',
    arguments: undefined,
    argumentNames: [],
    declaredArguments: more.argumentNames?.length ?? 0,
    variables: VARIABLES,
    baseDirectory: '/skills/pdf',
    ...more,
  };
}

interface Case {
  readonly body: string;
  readonly args: string | undefined;
  readonly names?: readonly string[];
  readonly text: string;
}

const VARIABLES = { CLAUDE_SKILL_DIR: '/skills/pdf', CLAUDE_SESSION_ID: 's-1', 'user_config.KEY': 'k' };

const GOLDEN: readonly Case[] = [
  // Nothing took the arguments.
  { body: 'Hi', args: 'x y', text: 'Hi\n\nARGUMENTS: x y' },
  { body: 'Hi', args: '', text: 'Hi' },
  { body: 'Hi', args: undefined, text: 'Hi' },
  { body: 'cost $5 and $10', args: 'x', text: 'cost $5 and $10\n\nARGUMENTS: x' },
  { body: '${CLAUDE_SKILL_DIR}', args: 'x', text: '/skills/pdf\n\nARGUMENTS: x' },
  { body: String.raw`\$ARGUMENTS`, args: 'x', text: '$ARGUMENTS\n\nARGUMENTS: x' },
  // The whole line.
  { body: '[$ARGUMENTS]', args: ' a  "b" ', text: '[ a  "b" ]' },
  { body: '[$ARGUMENTS]', args: '', text: '[]' },
  { body: '[$ARGUMENTS]', args: undefined, text: '[]' },
  { body: '$ARGUMENTSX', args: 'q', text: 'qX' },
  { body: '$ARGUMENTS[x] $ARGUMENTS[]', args: 'q', text: 'q[x] q[]' },
  { body: '$ARGUMENTS', args: '$& $$ $1 $` $<a>', text: '$& $$ $1 $` $<a>' },
  // By position.
  { body: '$0-$1-$2', args: 'a b', text: 'a-b-$2' },
  { body: '$ARGUMENTS[1]', args: 'a "b c"', text: 'b c' },
  { body: '$ARGUMENTS[0] $ARGUMENTS[7]', args: 'a', text: 'a $ARGUMENTS[7]' },
  { body: '$1abc $1_ $1.', args: 'a b', text: '$1abc $1_ b.' },
  { body: '$0', args: undefined, text: '$0' },
  { body: "awk '{print $1}'", args: 'f', text: "awk '{print $1}'\n\nARGUMENTS: f" },
  { body: '$0', args: '$ARGUMENTS', text: '$ARGUMENTS' },
  { body: '$0$0', args: '""', text: '' },
  { body: `$${'9'.repeat(400)}`, args: 'a', text: `$${'9'.repeat(400)}\n\nARGUMENTS: a` },
  // By name.
  { body: '$name $names $name[0] ${name}', args: 'v', names: ['name'], text: 'v $names $name[0] ${name}' },
  { body: '$a $b', args: '1', names: ['a', 'b'], text: '1 ' },
  { body: '$a', args: undefined, names: ['a'], text: '' },
  { body: '$x $y', args: '$y z', names: ['x', 'y'], text: '$y z' },
  { body: '$a.b $a', args: '1 2', names: ['a', 'a.b'], text: '2 1' },
  { body: '$a $0', args: '1', names: ['a', 'a', '0', ''], text: '1 1' },
  { body: '$x(y $x', args: '1', names: ['x(y'], text: '1 $x' },
  // Escapes.
  { body: String.raw`\$0 \$1.00`, args: 'x', text: '$0 $1.00\n\nARGUMENTS: x' },
  { body: String.raw`\\$0`, args: 'x', text: String.raw`\\x` },
  { body: String.raw`\\\$0`, args: 'x', text: String.raw`\\\x` },
  { body: String.raw`\$a \$b $a`, args: 'x', names: ['a'], text: String.raw`$a \$b x` },
  { body: String.raw`\$ARGUMENTS[0] $0`, args: 'x', text: '$ARGUMENTS[0] x' },
  { body: String.raw`\$5`, args: undefined, text: '$5' },
  { body: String.raw`\$1st \$x`, args: undefined, text: String.raw`$1st \$x` },
  { body: String.raw`\${CLAUDE_SKILL_DIR}`, args: undefined, text: String.raw`\/skills/pdf` },
  // Variables.
  { body: '${CLAUDE_SKILL_DIR}/x ${CLAUDE_SESSION_ID}', args: undefined, text: '/skills/pdf/x s-1' },
  {
    body: '${user_config.KEY} ${HOME} ${CLAUDE_SKILL_DIR $CLAUDE_SKILL_DIR',
    args: undefined,
    text: 'k ${HOME} ${CLAUDE_SKILL_DIR $CLAUDE_SKILL_DIR',
  },
  { body: '${toString} ${__proto__}', args: undefined, text: '${toString} ${__proto__}' },
  { body: '$0', args: '${CLAUDE_SKILL_DIR}', text: '${CLAUDE_SKILL_DIR}' },
  // Dollars that are nothing.
  { body: '$ $$ $- ${} $', args: undefined, text: '$ $$ $- ${} $' },
  { body: '$$0', args: 'a', text: '$a' },
];

const hostile = fc.string({
  unit: fc.constantFrom(
    '$',
    '0',
    '1',
    '\\',
    '"',
    "'",
    ' ',
    '{',
    '}',
    '[',
    ']',
    'a',
    'ARGUMENTS',
    '$ARGUMENTS',
    '${V}',
    '$&',
    '👍',
    'é',
  ),
  maxLength: 30,
});

describe('expandPrompt', () => {
  it.each(GOLDEN)('$body with $args', ({ body, args, names, text }) => {
    const input = inputOf({ arguments: args, argumentNames: names ?? [] });
    expect(expandPrompt(body, input).text).toBe(text);
  });

  it('says where each inserted text is, also the one at the end', () => {
    const input = inputOf({ arguments: 'x yz', argumentNames: ['first', 'third', 'none'] });
    expect(expandPrompt('a $first ${CLAUDE_SESSION_ID} $none $9', input).substitutions).toEqual([
      { placeholder: '$first', start: 2, end: 3, source: 'arguments' },
      { placeholder: '${CLAUDE_SESSION_ID}', start: 4, end: 7, source: 'variable' },
      { placeholder: '$none', start: 8, end: 8, source: 'arguments' },
    ]);
    const start = 'a\n\nARGUMENTS: '.length;
    expect(expandPrompt('a', input).substitutions).toEqual([
      { placeholder: '', start, end: start + 4, source: 'arguments' },
    ]);
  });

  it('inserts any line verbatim, and never reads it again', () => {
    const variables = { V: '$0 $ARGUMENTS ${V}' };
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (line) => {
        const input = inputOf({ arguments: line, argumentNames: ['a'], variables });
        expect(expandPrompt('<$ARGUMENTS|${V}>', input).text).toBe(`<${line}|${variables.V}>`);
      }),
      { numRuns: 10_000 },
    );
  });

  it('changes nothing but the placeholders: undoing the substitutions gives the body', () => {
    fc.assert(
      fc.property(hostile, hostile, (body, line) => {
        // Without backslashes there are no escapes, and so nothing else that may change.
        const plain = body.replaceAll('\\', '');
        const input = inputOf({ arguments: line, argumentNames: ['a'], variables: { V: '$1' } });
        const { text, substitutions } = expandPrompt(plain, input);
        let undone = '';
        let at = 0;
        for (const { placeholder, start, end } of substitutions) {
          expect(start).toBeGreaterThanOrEqual(at);
          undone += text.slice(at, start) + placeholder;
          at = end;
        }
        undone += text.slice(at);
        expect(undone.replace(/\n\nARGUMENTS: $/, '')).toBe(plain);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each(ExpansionMode.options)(
    'keeps text without placeholders as it is, also the second time: %s',
    (mode) => {
      const words = fc.constantFrom(
        'a',
        '$',
        '$ ',
        '\\',
        '`',
        '!`',
        '{',
        '}',
        '${',
        '[0]',
        '"',
        "'",
        '\n',
        '```',
        'é',
        '👍',
      );
      fc.assert(
        fc.property(fc.string({ unit: words, maxLength: 40 }), (text) => {
          fc.pre(!/\$\d|\$a|\$\{V\}/.test(text));
          const input = inputOf({ mode, arguments: '', argumentNames: ['a'], variables: { V: 'x' } });
          const once = expandPrompt(text, input);
          expect(once).toEqual({ text, substitutions: [], complete: true });
          expect(expandPrompt(once.text, input)).toEqual(once);
        }),
        { numRuns: 10_000 },
      );
    },
  );

  it('inserts outputs verbatim, wherever they stand, and reads on behind them', () => {
    const part = fc.oneof(hostile, fc.constantFrom('!`date`', '```!\nls\n```', '{baseDir}', '${V}', '$0'));
    fc.assert(
      fc.property(part, part, part, fc.constantFrom('command', 'marker'), (before, output, line, source) => {
        const head = before.replaceAll(/[$\\{]/g, '');
        const body = `${head} !\`x\` $ARGUMENTS`;
        const start = head.length + 1;
        const insertion = { start, end: start + 4, text: output, source, usesArguments: false } as const;
        const { text, substitutions } = expandPrompt(body, inputOf({ arguments: line }), [insertion]);
        expect(text).toBe(`${head} ${output} ${line}`);
        expect(substitutions.map((each) => each.source)).toEqual([source, 'arguments']);
        expect(text.slice(substitutions[0]?.start, substitutions[0]?.end)).toBe(output);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    { body: 'costs $1.50 or $0,000 and $1.', declared: 0, text: 'costs $1.50 or $0,000 and b.' },
    { body: 'costs $1.50', declared: 2, text: 'costs b.50' },
    {
      body: 'Do $0:\n```sh\nawk "{print $1}" $ARGUMENTS[1] $ARGUMENTS\n```\n$1',
      declared: 0,
      text: 'Do a:\n```sh\nawk "{print $1}" b a b\n```\nb',
    },
    {
      body: '1. Do:\n\n    ```sh\n    echo $1\n    ```\n',
      declared: 0,
      text: '1. Do:\n\n    ```sh\n    echo $1\n    ```\n\n\nARGUMENTS: a b',
    },
    { body: "Run `awk '{print $1}'` on $0", declared: 0, text: "Run `awk '{print $1}'` on a" },
    { body: "Run `awk '{print $1}'` on $0", declared: 1, text: "Run `awk '{print $1}'` on a" },
    { body: 'Run `gh pr view $0` or `x $1`', declared: 1, text: 'Run `gh pr view a` or `x $1`' },
    { body: 'an ` alone $1', declared: 0, text: 'an ` alone b' },
    { body: 'a ` in one\n\nparagraph $1 ` and', declared: 0, text: 'a ` in one\n\nparagraph b ` and' },
  ])('spares code and money of what the author did not declare: $body', ({ body, declared, text }) => {
    expect(expandPrompt(body, inputOf({ arguments: 'a b', declaredArguments: declared })).text).toBe(text);
  });

  it('fills in everything of a part that is code', () => {
    expect(expandCode('echo `$0` $1.50', inputOf({ arguments: 'a b' }))).toBe('echo `a` b.50');
    expect(expandCode('echo', inputOf({ arguments: 'a b' }))).toBe('echo');
  });

  it('fills in the folder as OpenClaw spells it, but no template of a language', () => {
    const body = '{baseDir}/x ${baseDir} {baseDir}{baseDir';
    expect(expandPrompt(body, inputOf({ baseDirectory: '/s$0' })).text).toBe(
      '/s$0/x ${baseDir} /s$0{baseDir',
    );
    expect(expandPrompt(body, inputOf({ mode: 'claude-today' })).text).toBe(body);
  });

  it('does not let a name reach into what replaces a command', () => {
    const insertion = { start: 3, end: 7, text: '<>', source: 'command', usesArguments: true } as const;
    const input = inputOf({ arguments: 'v', argumentNames: ['a !`x`', '{baseDir}'] });
    expect(expandPrompt('$a !`x` ${baseDir}', input, [insertion]).text).toBe('$a <> ');
  });

  it('stops inserting at its bounds and says so', () => {
    const line = 'x'.repeat(64 * 1024);
    const long = expandPrompt('$0'.repeat(300_000), inputOf({ arguments: line }));
    expect(long.complete).toBe(false);
    expect(long.substitutions).toHaveLength(PROMPT_LIMITS.insertedCharacters / line.length);
    expect(long.text.endsWith('x$0$0')).toBe(false);
    expect(long.text.endsWith('$0$0')).toBe(true);
    const many = expandPrompt('$0'.repeat(300_000), inputOf({ arguments: 'x' }));
    expect(many.complete).toBe(false);
    expect(many.substitutions).toHaveLength(PROMPT_LIMITS.changes);
  });

  it('lets no chain of names grow without bound in the baseline', () => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`);
    const line = names.map((_, index) => `"$n${index + 1} $n${index + 1}"`).join(' ');
    const { complete, text } = expandPrompt(
      '$n0',
      inputOf({ mode: 'claude-baseline', arguments: line, argumentNames: names }),
    );
    expect(complete).toBe(true);
    expect(text.startsWith('$n0\n\nARGUMENTS: ')).toBe(true);
  });

  const HOSTILE = [
    '$',
    '$0 ',
    '$1 ',
    'a line of $text with $ARGUMENTS[1\n',
    '${CLAUDE_SKILL_DIR',
    '${CLAUDE_SKILL_DIR}',
    '{baseDir}',
    '\\',
    '\\$0',
    '$aaaa',
    `$${'a'.repeat(200)}`,
    '${',
    '!`',
    ' !`',
    ' !`a` ',
    '`',
    '`$1 ``$1 ',
    '` $1 `` $1 ```',
    '```! ',
    '```\n',
    '    ```\n$1\n',
    '~~~\n$1\n',
    '~~~\n!`a`\n',
    '\n\n`$1',
    '\n ',
    `$${'9'.repeat(1000)}`,
  ];

  it.each(
    HOSTILE.flatMap((unit) => ExpansionMode.options.map((mode) => [unit.slice(0, 40), mode, unit] as const)),
  )('reads 300 KB of %j in a few milliseconds: %s', (_, mode, unit) => {
    const body = unit.repeat(Math.ceil(300_000 / unit.length));
    const names = Array.from({ length: 2_000 }, (__, index) => `aaa${index}`).concat('a'.repeat(255));
    const input = inputOf({ mode, arguments: 'a b', argumentNames: names, declaredArguments: 0 });
    expect(fastest(() => expandPrompt(body, input))).toBeLessThan(MILLISECONDS);
    expect(fastest(() => shellCommands(body, mode))).toBeLessThan(MILLISECONDS);
  });

  it('reads a long ordinary body in a few milliseconds', () => {
    const body =
      'Run the `tool` on $ARGUMENTS, see ${CLAUDE_SKILL_DIR}/reference.md, it costs $5 or more.\n'.repeat(
        3_400,
      );
    const input = inputOf({ arguments: 'report.pdf a b c d e f', argumentNames: ['file'] });
    expect(fastest(() => expandPrompt(body, input))).toBeLessThan(MILLISECONDS);
  });
});

/** On a machine of its own each takes at most 5 ms. What grows with the square of the body would take seconds. */
const MILLISECONDS = 50;

/** The fastest of some rounds, as many as a busy machine needs: what the work takes when nobody disturbs it. */
function fastest(work: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 24 && best >= MILLISECONDS; round += 1) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
