import { describe, expect, it } from 'vitest';
import { compileRules, decide } from '../../src/policy/decide.ts';
import type { Effect } from '../../src/policy/rule.ts';

const answer = (input: string, effect: Effect, ...patterns: string[]) =>
  decide(
    { kind: 'tool', tool: 'Bash', input },
    compileRules(patterns.map((pattern) => ({ effect, pattern, layer: 'organisation' as const }))),
    null,
  );
const ALLOWED = ['Bash(cd:*)', 'Bash(pushd:*)', 'Bash(popd)', 'Bash(git diff:*)', 'Bash(ls:*)'];

/** What git finds in its folder decides what it runs. */
describe('a change of the folder', () => {
  it.each([
    ['cd x && git diff', 'ask'],
    ['cd x; git diff --stat', 'ask'],
    ['cd x && ls && /usr/bin/git diff', 'ask'],
    ['cd && git diff', 'ask'],
    ['popd && git diff', 'ask'],
    ['pushd x\ngit diff', 'ask'],
    ['git diff && cd x', 'allow'],
    ['cd x && ls -l', 'allow'],
  ])('%j: %s', (input, decision) => {
    expect(answer(input, 'allow', ...ALLOWED).decision).toBe(decision);
  });

  it('is allowed by a rule that would allow git there by itself, which is what is suggested', () => {
    const input = 'cd x && cd y && git diff';
    const suggested = answer(input, 'allow', ...ALLOWED).suggestions.map(({ rule }) => rule.pattern);
    expect(suggested).toEqual(['Bash(git -C x -C y diff)']);
    expect(answer(input, 'allow', ...ALLOWED, ...suggested).decision).toBe('allow');
    expect(answer('cd x && git diff', 'allow', 'Bash(cd:*)', 'Bash(git:*)').decision).toBe('allow');
  });

  it.each(['Bash(git push:*)', 'Bash(git -C x:*)', 'Bash(cd:*)', 'Bash(git push)'])(
    'does not lead past a denied %s',
    (pattern) => {
      expect(answer('cd x && git push', 'deny', pattern).decision).toBe('deny');
    },
  );
});
