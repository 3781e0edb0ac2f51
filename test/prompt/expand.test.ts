import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROMPT_LIMITS } from '../../src/core/limits.ts';
import { expandPrompt } from '../../src/prompt/expand.ts';

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
    const input = { arguments: args, argumentNames: names ?? [], variables: VARIABLES };
    expect(expandPrompt(body, input).text).toBe(text);
  });

  it('says where each inserted text is, also the one at the end', () => {
    const input = { arguments: 'x yz', argumentNames: ['first', 'third', 'none'], variables: VARIABLES };
    expect(expandPrompt('a $first ${CLAUDE_SESSION_ID} $none $9', input).substitutions).toEqual([
      { placeholder: '$first', offset: 2, length: 1, source: 'arguments' },
      { placeholder: '${CLAUDE_SESSION_ID}', offset: 4, length: 3, source: 'variable' },
      { placeholder: '$none', offset: 8, length: 0, source: 'arguments' },
    ]);
    expect(expandPrompt('a', input).substitutions).toEqual([
      { placeholder: '', offset: 'a\n\nARGUMENTS: '.length, length: 4, source: 'arguments' },
    ]);
  });

  it('inserts any line verbatim, and never reads it again', () => {
    const variables = { V: '$0 $ARGUMENTS ${V}' };
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (line) => {
        const input = { arguments: line, argumentNames: ['a'], variables };
        expect(expandPrompt('<$ARGUMENTS|${V}>', input).text).toBe(`<${line}|${variables.V}>`);
      }),
      { numRuns: 3000 },
    );
  });

  it('changes nothing but the placeholders: undoing the substitutions gives the body', () => {
    fc.assert(
      fc.property(hostile, hostile, (body, line) => {
        // Without backslashes there are no escapes, and so nothing else that may change.
        const plain = body.replaceAll('\\', '');
        const input = { arguments: line, argumentNames: ['a'], variables: { V: '$1' } };
        const { text, substitutions } = expandPrompt(plain, input);
        let undone = '';
        let at = 0;
        for (const { placeholder, offset, length } of substitutions) {
          expect(offset).toBeGreaterThanOrEqual(at);
          undone += text.slice(at, offset) + placeholder;
          at = offset + length;
        }
        undone += text.slice(at);
        expect(undone.replace(/\n\nARGUMENTS: $/, '')).toBe(plain);
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps text without a dollar as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const body = text.replaceAll('$', '');
        const once = expandPrompt(body, {
          arguments: undefined,
          argumentNames: ['a'],
          variables: { V: 'x' },
        });
        expect(once).toEqual({ text: body, substitutions: [], complete: true });
      }),
      { numRuns: 2000 },
    );
  });

  it('stops inserting at its bound and says so', () => {
    const line = 'x'.repeat(64 * 1024);
    const { text, complete, substitutions } = expandPrompt('$0'.repeat(300_000), {
      arguments: line,
      argumentNames: [],
      variables: {},
    });
    expect(complete).toBe(false);
    expect(substitutions).toHaveLength(PROMPT_LIMITS.insertedCharacters / line.length);
    expect(text.endsWith('x$0$0')).toBe(false);
    expect(text.endsWith('$0$0')).toBe(true);
  });

  it.each([
    '$',
    '$0 ',
    'a line of $text with $ARGUMENTS[1\n',
    '${CLAUDE_SKILL_DIR',
    '\\',
    '$1',
    '$aaaa',
    '${',
  ])('takes linear time for %j', (unit) => {
    const body = unit.repeat(Math.ceil(300_000 / unit.length));
    const names = Array.from({ length: 2_000 }, (_, index) => `aaa${index}`);
    const input = { arguments: 'a b', argumentNames: names, variables: VARIABLES };
    expandPrompt(body, input);
    const started = performance.now();
    expandPrompt(body, input);
    expect(performance.now() - started).toBeLessThan(150);
  });

  it('reads a long ordinary body in a few milliseconds', () => {
    const body =
      'Run the tool on $ARGUMENTS, see ${CLAUDE_SKILL_DIR}/reference.md, it costs $5 or more.\n'.repeat(
        3_400,
      );
    const input = { arguments: 'report.pdf', argumentNames: ['file'], variables: VARIABLES };
    for (let round = 0; round < 5; round += 1) expandPrompt(body, input);
    const started = performance.now();
    expandPrompt(body, input);
    expect(performance.now() - started).toBeLessThan(50);
  });
});
