import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Requirement, RequirementKind } from '../../src/catalog/requirement.ts';
import { pageCoverage } from '../../src/view/listing/coverage.ts';
import type { HostInventory } from '../../src/view/listing/host-inventory.ts';
import { listNewSkills } from '../../src/view/listing/list-new-skills.ts';
import {
  fitToWindow,
  type ListingWishes,
  mergeListing,
  NO_WISHES,
} from '../../src/view/listing/list-skills.ts';
import { of, viewOver } from './listing-views.ts';

const need = (kind: RequirementKind, ...oneOf: string[]): Requirement => ({ kind, oneOf });
const SKILLS = [
  of('merge', 'org', { requires: [need('bins', 'gh'), need('env', 'TOKEN')] }),
  of('plain'),
  of('report', 'org', { requires: [need('skills', 'pdf')] }),
];

async function scene(settings: Record<string, unknown> = {}, skills = SKILLS) {
  const { view, blobs } = viewOver([['org', skills]], settings);
  const merged = await mergeListing(blobs, view);
  if (!merged) throw new Error('no listing');
  const fit = (has: HostInventory | null, wishes: Partial<ListingWishes> = {}) =>
    fitToWindow(view, merged, null, { ...NO_WISHES, has, ...wishes });
  return { view, blobs, merged, fit };
}

describe('skills that need something', () => {
  it('are listed with what is missing, once the host says what it has', async () => {
    const { fit } = await scene();
    const bare = '- merge: About merge\n- plain: About plain\n- report: About report';
    expect(fit(null).text).toBe(bare);
    expect(fit({ bins: ['gh'] }).text).toBe(`${bare} (needs pdf)`);
    expect(fit({ bins: [], env: [], skills: ['pdf'] }).text).toBe(
      '- merge: About merge (needs gh, TOKEN)\n- plain: About plain\n- report: About report',
    );
  });

  it.each(['model', 'user'] as const)(
    'are hidden from a %s where the organisation wants it',
    async (audience) => {
      const { fit } = await scene({ requirements: 'hide' });
      const { text, counts } = fit({ bins: [] }, { audience, announce: true });
      expect(text).toBe('- plain: About plain');
      expect(counts).toMatchObject({ total: 3, full: 1, unlisted: 2 });
    },
  );

  it('keep what is missing where their text is cut, and give it up with the text', async () => {
    const long = { description: 'word '.repeat(60), requires: [need('bins', 'gh')] };
    const { fit } = await scene({}, [of('a', 'org', long), of('b', 'org', long)]);
    for (const { budget, shown } of [
      { budget: 1_000, shown: /^.{243}… \(needs gh\)$/ },
      { budget: 100, shown: /^- [ab]: [^(]*… \(needs gh\)$/ },
      { budget: 60, shown: /^- [ab]: [^(]*… \(needs gh\)$/ },
      { budget: 7, shown: /^- [ab]$/ },
    ]) {
      const { text, used } = fit({ bins: [] }, { budget });
      expect(used).toBeLessThanOrEqual(budget);
      for (const line of text.split('\n')) expect(line).toMatch(shown);
    }
  });

  it('say in their rows what is missing', async () => {
    for (const { requirements, merge, report } of [
      { requirements: 'list', merge: { state: 'full', reason: 'fits' }, report: { state: 'full' } },
      {
        requirements: 'hide',
        merge: { state: 'unlisted', reason: 'requirement-missing' },
        report: { state: 'unlisted' },
      },
    ]) {
      const { view, blobs, merged, fit } = await scene({ requirements });
      const page = await pageCoverage(blobs, view, merged, fit({ bins: [], env: ['TOKEN'] }), '');
      expect(page?.rows).toMatchObject([
        { name: 'merge', ...merge, missing: [need('bins', 'gh')] },
        { name: 'plain', state: 'full', reason: 'fits' },
        { name: 'report', ...report, missing: [need('skills', 'pdf')] },
      ]);
      expect(page?.rows[1]).not.toHaveProperty('missing');
    }
  });

  it('are new to an agent once nothing is missing any more', async () => {
    const { view, merged } = await scene();
    const list = (has: HostInventory, before: Parameters<typeof listNewSkills>[4]) =>
      listNewSkills(view, merged, null, { ...NO_WISHES, has }, before);
    const first = list({ bins: [], env: [] }, null);
    expect(first.missing).toEqual([
      { ...need('bins', 'gh'), skills: ['merge'] },
      { ...need('env', 'TOKEN'), skills: ['merge'] },
      { ...need('skills', 'pdf'), skills: ['report'] },
    ]);
    const second = list({ bins: ['gh'], env: ['TOKEN'] }, first.shown);
    expect([second.text, second.changed]).toEqual(['- merge: About merge', ['merge']]);
    expect(second.missing).toEqual([{ ...need('skills', 'pdf'), skills: ['report'] }]);
  });
});

describe('what a host has', () => {
  it('never lists a skill that is not listed without it', async () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
    const needs = fc.array(
      fc.record({
        kind: fc.constantFrom(...RequirementKind.options),
        oneOf: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 3 },
    );
    const skills = fc.array(
      fc.record({
        requires: needs,
        listing: fc.constantFrom(
          'auto' as const,
          'name-only' as const,
          'conditional' as const,
          'manual' as const,
        ),
        platforms: fc.constantFrom<string[]>([], ['linux']),
      }),
      { maxLength: 6 },
    );
    const has: fc.Arbitrary<HostInventory> = fc.record(
      { bins: names, env: names, tools: names, mcpServers: names, config: names, skills: names },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        skills,
        has,
        fc.constantFrom('hide', 'list', 'ask'),
        fc.constantFrom('model' as const, 'user' as const),
        async (all, inventory, requirements, audience) => {
          const rows = all.map(({ requires, ...more }, at) =>
            of(`s${at}`, 'org', { ...more, ...(requires.length > 0 ? { requires } : {}) }),
          );
          const { fit } = await scene({ requirements }, rows);
          const listed = (host: HostInventory | null) =>
            fit(host, { audience }).chosen.listed.map(({ skill }) => skill.entry.name);
          const without = listed(null);
          const withHost = listed(inventory);
          expect(without.filter((name) => withHost.includes(name))).toEqual(withHost);
          if (requirements !== 'hide') expect(withHost).toEqual(without);
        },
      ),
      { numRuns: 300 },
    );
  });
});
