import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillState, type SkillStates, strictestState } from '../../../src/view/settings/skill-states.ts';
import { narrowView, viewForAgent } from '../../../src/view/narrow-view.ts';
import { mergeListing } from '../../../src/view/listing/list-skills.ts';
import { of, viewOver } from '../listing-views.ts';

const state = (...said: SkillStates[]) => strictestState(said, 'plugin:p', 'a');

describe('the words of several', () => {
  it.each<[SkillStates[], string]>([
    [[], 'auto'],
    [[{}, {}], 'auto'],
    [[{ a: 'pinned' }, {}], 'pinned'],
    [[{ a: 'pinned' }, { a: 'name-only' }], 'name-only'],
    [[{ a: 'off' }, { a: 'pinned' }], 'off'],
    [[{ a: 'manual' }, { 'plugin:p/a': 'auto' }], 'manual'],
    [[{ a: 'off', 'plugin:p/a': 'auto' }], 'auto'],
    [[{ 'org/a': 'off' }], 'auto'],
  ])('%j: %s', (said, expected) => {
    expect(state(...said)).toBe(expected);
  });

  it('never show what one of them hides, in whatever order', () => {
    const order = ['auto', 'pinned', 'name-only', 'manual', 'off'];
    const one = fc.constantFrom(...SkillState.options);
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), one, (words, more) => {
        const said = words.map((word): SkillStates => ({ a: word }));
        const before = order.indexOf(state(...said));
        const after = order.indexOf(state(...said, { a: more }));
        expect(after).toBe(Math.max(before, order.indexOf(more)));
        expect(state({ a: more }, ...said)).toBe(state(...said, { a: more }));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a view of one agent', () => {
  const layers = [['org', [of('a'), of('b')]]] as const;
  const settings = { states: { b: 'manual' }, agents: { ci: { states: { a: 'off', b: 'auto' } } } };

  it('has less than everyone’s, and remembers what it made', async () => {
    const { view, blobs } = viewOver(layers, settings);
    const narrowed = viewForAgent(view, 'ci');
    expect(narrowed).toBe(viewForAgent(view, 'ci'));
    expect(narrowed.fingerprint).not.toBe(view.fingerprint);
    const merged = await mergeListing(blobs, narrowed);
    expect(merged?.skills.map(({ entry, listing }) => [entry.name, listing])).toEqual([['b', 'unlisted']]);
  });

  it('is everyone’s where nothing is said of it', () => {
    const { view } = viewOver(layers, settings);
    for (const agent of ['main', 'constructor', '__proto__', ''])
      expect(viewForAgent(view, agent)).toBe(view);
    expect(narrowView(view, {})).toBe(view);
  });
});
