import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExpansionInput, expandPrompt } from '../../src/prompt/expand.ts';
import type { ExpansionMode } from '../../src/prompt/expansion-mode.ts';
import { splitLikeClaude } from '../../src/prompt/split-like-claude.ts';

type Row = readonly [body: string, args: string | undefined, text: string, names?: readonly string[]];

/** What both do. */
const SHARED: readonly Row[] = [
  ['Hi', 'x y', 'Hi\n\nARGUMENTS: x y'],
  ['Hi', '', 'Hi'],
  ['Hi', undefined, 'Hi'],
  ['$ARGUMENTS $0 $a', undefined, '$ARGUMENTS $0 $a', ['a']],
  ['[$ARGUMENTS]', '', '[]'],
  ['$ARGUMENTS[1]', 'a "b c"', 'b c'],
  ['$ARGUMENTSX', 'q', 'qX'],
  ['${name}', 'v', '${name}\n\nARGUMENTS: v', ['name']],
  ['$name $names $name[0] ${name}', 'v', 'v $names $name[0] ${name}', ['name']],
  ['$a $b', '1', '1 ', ['a', 'b']],
  ['`$0` ```$1```', 'a b', '`a` ```b```'],
  ['$0', '*.ts x', 'x'],
  ['$0', "it's", 'it'],
];

const BASELINE: readonly Row[] = [
  ['$0-$1-$2', 'a b', 'a-b-'],
  ['$1abc $1_ $1.', 'a b', '$1abc $1_ b.'],
  ['cost $5 and $10', 'x', 'cost  and '],
  ["awk '{print $1}'", 'f', "awk '{print }'"],
  ['$ARGUMENTS', '$& $$ $1', '$ARGUMENTS $ $1'],
  ['$x $y', '$y z', 'z z', ['x', 'y']],
  ['$0', '$ARGUMENTS', '$ARGUMENTS'],
  ['$0', "'$ARGUMENTS[1]' q", '$ARGUMENTS[1]'.replace('$ARGUMENTS', "'$ARGUMENTS[1]' q")],
  [String.raw`\$0`, 'q', String.raw`\q`],
  ['$0', "'${CLAUDE_SKILL_DIR}'", '/s'],
  ['$x', "'$ARGUMENTS[1]' '$2' last", 'last', ['x']],
];

const TODAY: readonly Row[] = [
  ['$0-$1-$2', 'a b', 'a-b-$2'],
  ['$ARGUMENTS[7]', 'a', '$ARGUMENTS[7]\n\nARGUMENTS: a'],
  ['$1abc $1_ $1.', 'a b', '$1abc $1_ b.'],
  ['cost $5 and $10', 'x', 'cost $5 and $10\n\nARGUMENTS: x'],
  ["awk '{print $1}'", 'f', "awk '{print $1}'\n\nARGUMENTS: f"],
  ['$ARGUMENTS', '$& $$ $1', '$& $$ $1'],
  ['$x $y', '$y z', '$y z', ['x', 'y']],
  ['$0', '$ARGUMENTS', '$ARGUMENTS'],
  ['$x(y $z', 'a b', 'a b', ['x(y', 'z']],
  [String.raw`\$0`, 'q', '$0\n\nARGUMENTS: q'],
  [String.raw`\$1.00 \$ARGUMENTS \$a $a`, 'q', '$1.00 $ARGUMENTS $a q', ['a']],
  [String.raw`\\$0`, 'q', String.raw`\\q`],
  [String.raw`\${CLAUDE_SKILL_DIR}`, undefined, String.raw`\/s`],
  ['$1.50', 'a b', 'b.50'],
];

function inputOf(
  mode: ExpansionMode,
  args: string | undefined,
  argumentNames: readonly string[] = [],
): ExpansionInput {
  const variables = { CLAUDE_SKILL_DIR: '/s' };
  return { mode, arguments: args, argumentNames, declaredArguments: 0, variables, baseDirectory: '/s' };
}

describe.each([
  { mode: 'claude-baseline', rows: [...SHARED, ...BASELINE] },
  { mode: 'claude-today', rows: [...SHARED, ...TODAY] },
] as const)('$mode', ({ mode, rows }) => {
  it.each(rows.map(([body, args, text, names]) => ({ body, args, text, names })))(
    '$body with $args gives $text',
    ({ body, args, text, names }) => {
      expect(expandPrompt(body, inputOf(mode, args, names)).text).toBe(text);
    },
  );
});

it('claude-today never reads what it inserted', () => {
  const line = fc.string({
    unit: fc.constantFrom(
      '$',
      'ARGUMENTS',
      '$ARGUMENTS',
      '0',
      '[',
      ']',
      '${CLAUDE_SKILL_DIR}',
      '&',
      ' ',
      '\\',
      'x',
    ),
  });
  fc.assert(
    fc.property(line, (text) => {
      expect(expandPrompt('<$ARGUMENTS>', inputOf('claude-today', text, ['x'])).text).toBe(`<${text}>`);
    }),
    { numRuns: 10_000 },
  );
});

const WORDS: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['foo "hello world" baz', ['foo', 'hello world', 'baz']],
  ['a"b c"d', ['ab cd']],
  [String.raw`x\ y`, ['x y']],
  ['""', ['']],
  [' \t ', []],
  ['$HOME ${X} $1', ['$HOME', '$X', '$1']],
  ['a > b', ['a', 'b']],
  ['a|b && c', ['a', 'b', 'c']],
  ['a;b', ['a', 'b']],
  ['$(ls)', ['$', 'ls']],
  ['`ls`', ['`ls`']],
  ['*.ts x', ['x']],
  ['# c d', []],
  ['a #c d', ['a']],
  ["it's", ['it', 's']],
  ["don't stop it's", ['dont stop its']],
  ['"unterminated x', ['unterminated', 'x']],
  ['${} "a b"', ['${}', '"a', 'b"']],
  [String.raw`"a \"b\" \n"`, [String.raw`a "b" \n`]],
  [String.raw`'a \n'`, [String.raw`a \n`]],
  ['a#b c', ['a']],
];

describe('splitLikeClaude', () => {
  it.each(WORDS)('%j', (line, words) => {
    expect(splitLikeClaude(line)).toEqual(words);
  });

  it.each(['"', "'", '\\', '\\"', "'a", '$', '${', '${a', 'a;', '#', 'a\'b "', '" \''])(
    'is linear in %j',
    (unit) => {
      const line = unit.repeat(64 * 1024);
      const started = performance.now();
      splitLikeClaude(line);
      splitLikeClaude(`"${line}`);
      expect(performance.now() - started).toBeLessThan(300);
    },
  );
});
