import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LoadedSkill, reattach } from '../../../src/invoke/sessions/reattach.ts';

let number = 0;
const loaded = (skill: string, more: Partial<LoadedSkill> = {}): LoadedSkill => {
  number += 1;
  const rest = { layer: 'org', revision: 'sha256:0', whole: true, args: '', persist: true };
  return { number, skill, text: `Do ${skill}.`, ...rest, ...more };
};
const LIMITS = { skillTokens: 5_000, allSkillsTokens: 25_000 };
const long = 'word '.repeat(8_000);

describe('what a compaction attaches again', () => {
  it('is what there is room for, the newest first, and the rest by name', () => {
    const skills = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => loaded(name, { text: long }));
    const { attached, left, messages, part, whole } = reattach(skills, LIMITS);
    expect(attached.map(({ skill, tokens, cut }) => [skill, tokens, cut])).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [name, 5_000, true]),
    );
    expect(left).toEqual([
      { skill: 'f', layer: 'org', revision: 'sha256:0', tokens: 10_000, cut: false, reason: 'room' },
    ]);
    expect([messages.length, part.size, whole.size]).toEqual([5, 5, 0]);
    expect(messages[0]?.text).toContain('Only the beginning is here');
  });

  it('is a short text whole, with its arguments as history', () => {
    const { messages, attached, whole } = reattach([loaded('push', { args: 'to "main" <now>' })], LIMITS);
    expect(attached).toMatchObject([{ skill: 'push', cut: false }]);
    expect(whole.size).toBe(1);
    expect(messages[0]?.text).toContain('the arguments "to &#x22;main&#x22; &#x3c;now&#x3e;" then');
    expect(messages[0]?.text).toContain('<skill_content name="push">\nDo push.\n</skill_content>');
  });

  it('is short also where the arguments were long', () => {
    const args = '<\u2028>'.repeat(20_000);
    const [message] = reattach([loaded('push', { args })], LIMITS).messages;
    expect(message?.text.length).toBeLessThan(4_000);
    expect(message?.text).toContain('…" then');
  });

  it('is not what does not want to stay, nor what was kept in part as if it were whole', () => {
    const { attached, left } = reattach(
      [loaded('once', { persist: false }), loaded('huge', { whole: false })],
      LIMITS,
    );
    expect(left).toMatchObject([{ skill: 'once', reason: 'not-persistent' }]);
    expect(attached).toMatchObject([{ skill: 'huge', cut: true }]);
  });

  it('never takes more than it may, and tells of every skill once', () => {
    const skill = fc.record({
      text: fc.string({ maxLength: 3_000, unit: 'grapheme' }),
      persist: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(skill), fc.nat(1_000), fc.nat(2_000), (list, skillTokens, allSkillsTokens) => {
        const skills = list.map((each, at) => loaded(`s${at}`, each));
        const { attached, left, messages } = reattach(skills, { skillTokens, allSkillsTokens });
        expect(attached.length + left.length).toBe(skills.length);
        expect(messages).toHaveLength(attached.length);
        expect(attached.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(allSkillsTokens);
        expect(attached.every(({ tokens }) => tokens <= skillTokens)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
