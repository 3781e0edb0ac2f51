import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandPrompt } from '../../src/prompt/expand.ts';
import { shellCommands } from '../../src/prompt/shell-commands.ts';

/** What each mode takes for commands. */
const CASES: readonly { body: string; ours: readonly string[]; claudes?: readonly string[] }[] = [
  { body: 'Status: !`git status`', ours: ['git status'] },
  { body: '!`a` !`b`\n!`c`', ours: ['a', 'b', 'c'] },
  { body: 'no!`a`, (!`b`)', ours: [] },
  { body: '!`` !` ` !', ours: [], claudes: [] },
  { body: '!`never closed', ours: [] },
  { body: '```!\ngit log\n  -1\n```', ours: ['git log\n  -1'] },
  { body: '~~~!\nls\n~~~', ours: ['ls'], claudes: [] },
  { body: '1. In a list:\n\n   ```!\n   ls\n   ```', ours: ['ls'] },
  { body: '```!\n\n```', ours: [] },
  // Examples.
  { body: '```markdown\nRun: !`npm test $1`\n```', ours: [], claudes: ['npm test $1'] },
  { body: '- Such as:\n\n      ```md\n      !`npm test`\n      ```\n', ours: [], claudes: ['npm test'] },
  { body: '````md\n```!\nls\n```\n````', ours: [], claudes: ['ls'] },
  { body: 'Write `` !`cmd` `` for a command.', ours: [], claudes: ['cmd'] },
  { body: 'Write ``` !`cmd` ``` or `` `!` `` or !`date`', ours: ['date'], claudes: ['cmd', 'date'] },
  { body: '`!!` x `y` z', ours: [], claudes: [] },
  { body: 'isn` it\n\n!`date`', ours: ['date'] },
];

describe('shellCommands', () => {
  it.each(CASES)('$body', ({ body, ours, claudes }) => {
    expect(shellCommands(body, 'default').map(({ text }) => text)).toEqual(ours);
    for (const mode of ['claude-today', 'claude-baseline'] as const) {
      expect(shellCommands(body, mode).map(({ text }) => text)).toEqual(claudes ?? ours);
    }
  });

  it('says what an output takes the place of', () => {
    const body = 'a !`b` c\n```!\nd\n```\ne';
    const insertions = shellCommands(body, 'default').map(({ start, end, text }) => {
      return { start, end, text: text.toUpperCase(), source: 'command', usesArguments: false } as const;
    });
    const input = {
      mode: 'default',
      arguments: undefined,
      argumentNames: [],
      declaredArguments: 0,
      variables: {},
      baseDirectory: '/s',
    } as const;
    expect(expandPrompt(body, input, insertions).text).toBe('a B c\nD\ne');
  });

  it('finds parts of the body that are apart and in order, in any mode', () => {
    const pieces = fc.constantFrom(
      '!`a`',
      ' ',
      '\n',
      '```',
      '```!',
      '`',
      '``',
      '!',
      '~~~!',
      'x',
      '\\',
      '\n\n',
      '    ',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }),
        fc.constantFrom('default', 'claude-today' as const),
        (parts, mode) => {
          const body = parts.join('');
          let from = 0;
          for (const { start, end, text } of shellCommands(body, mode)) {
            expect(start).toBeGreaterThanOrEqual(from);
            expect(end).toBeGreaterThan(start);
            expect(text.trim()).not.toBe('');
            expect(body.slice(start, end)).toContain('!');
            from = end;
          }
          expect(from).toBeLessThanOrEqual(body.length);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
