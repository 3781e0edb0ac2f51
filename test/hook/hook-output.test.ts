import { describe, expect, it } from 'vitest';
import { blockReason, hookOutput } from '../../src/hook/hook-output.ts';

describe('what a hook answers', () => {
  it.each([
    [{ decision: 'block', reason: 'no' }, 'no'],
    [{ decision: 'deny', reason: 'no' }, 'no'],
    [{ decision: 'block' }, 'a hook stopped it without saying why'],
    [{ decision: 'block', reason: 7 }, 'a hook stopped it without saying why'],
    [{ continue: false, stopReason: 'enough' }, 'enough'],
    [{ hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'never' } }, 'never'],
    [{ hookSpecificOutput: { decision: { behavior: 'deny', message: 'not now' } } }, 'not now'],
    [{ decision: 'block', reason: 'no', hookSpecificOutput: 'nonsense' }, 'no'],
    [{}, null],
    [{ decision: 'approve' }, null],
    [{ continue: true }, null],
    [{ decision: ['block'] }, null],
    [{ hookSpecificOutput: { permissionDecision: 'allow' } }, null],
    [{ hookSpecificOutput: { permissionDecision: 'ask' } }, null],
    [{ hookSpecificOutput: { decision: { behavior: 'allow' } } }, null],
    [{ hookSpecificOutput: null, continue: 'false' }, null],
  ])('%j stops with %j', (output, reason) => {
    expect(blockReason(output)).toBe(reason);
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    [' \n{"a":1}\n', { a: 1 }],
    ['[1]', null],
    ['{"a":', null],
    ['done', null],
    ['', null],
    ['null', null],
    [`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, null],
  ])('%j is read as %j', (text, output) => {
    expect(hookOutput(text)).toEqual(output);
  });
});
