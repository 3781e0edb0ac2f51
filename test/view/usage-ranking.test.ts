import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { chooseSkills } from '../../src/view/listing/choose-skills.ts';
import {
  fitToWindow,
  type ListingWishes,
  mergeListing,
  NO_WISHES,
} from '../../src/view/listing/list-skills.ts';
import type { UsageSnapshot } from '../../src/view/usage-snapshot.ts';
import { of, viewOver } from './listing-views.ts';

let made = Date.UTC(2026, 10, 30);

const MANY = Array.from({ length: 60 }, (_, at) =>
  of(`skill-${10 + at}`, 'org', {
    description: `${at === 55 ? 'Turns invoices into tables. ' : ''}${'word '.repeat(30)}`,
  }),
);

/** Each with a time of its own, by which what is remembered of a view is told apart. */
function snapshot(scores: Record<string, number>, layer = 'org'): UsageSnapshot {
  made += 1;
  const at = new Date(made).toISOString();
  return { at, scores: Object.entries(scores).map(([name, score]) => ({ layer, name, score })) };
}

async function list(
  entries: readonly CatalogEntry[],
  usage?: UsageSnapshot,
  wishes: Partial<ListingWishes> = {},
  settings: Record<string, unknown> = {},
) {
  const { view, blobs } = viewOver(
    [
      ['org', entries],
      ['mcp:x', [of('skill-70', 'mcp:x')]],
    ],
    { listing: { fallbackCharacters: 900 }, ...settings },
    usage,
  );
  const merged = await mergeListing(blobs, view);
  if (!merged) throw new Error('no listing');
  const listing = fitToWindow(view, merged, null, { ...NO_WISHES, ...wishes });
  const best = listing.chosen.listed.toSorted((left, right) => left.rank - right.rank);
  return {
    ...listing,
    merged,
    view,
    lines: listing.text.split('\n'),
    ranked: best.map(({ skill }) => skill.entry.name),
  };
}

describe('what is used', () => {
  it('keeps its text longest, and moves no line', async () => {
    const before = await list(MANY);
    const after = await list(MANY, snapshot({ 'skill-65': 1_000 }));
    const text = (lines: readonly string[]) => lines.find((line) => line.startsWith('- skill-65'));
    expect([text(before.lines), text(after.lines)?.slice(0, 24)]).toEqual([
      '- skill-65',
      '- skill-65: Turns invoic',
    ]);
    const names = (lines: readonly string[]) => lines.map((line) => line.replace(/:.*/, ''));
    expect(names(after.lines)).toEqual(names(before.lines));
    expect(after.lines.filter((line) => !before.lines.includes(line)).length).toBeLessThanOrEqual(2);
  });

  it('comes behind what is pinned, active and asked for, and before what only stands first', async () => {
    const entries = [...MANY, of('web', 'org', { listing: 'conditional', scope: 'web' })];
    const usage = snapshot({ 'skill-40': 5_000, 'skill-50': 9_000, 'skill-65': 10, web: 1 });
    const { ranked } = await list(
      entries,
      usage,
      { paths: ['web/x'], query: 'an invoice' },
      { listing: { fallbackCharacters: 900 }, states: { 'skill-69': 'pinned' } },
    );
    expect(ranked.slice(0, 6)).toEqual(['skill-69', 'web', 'skill-65', 'skill-50', 'skill-40', 'skill-10']);
  });

  it('is one of several that a query is about equally', async () => {
    const { ranked } = await list(MANY, snapshot({ 'skill-33': 1 }), { query: 'word' });
    expect(ranked[0]).toBe('skill-33');
  });

  it('is the skill of that layer, not its namesake', async () => {
    const own = [of('skill-70'), ...MANY];
    expect((await list(own, snapshot({ 'skill-70': 1 }, 'mcp:x'))).ranked[0]).toBe('skill-10');
    expect((await list(MANY, snapshot({ 'skill-70': 1 }, 'mcp:x'))).ranked[0]).toBe('skill-70');
  });

  it('orders as its scores do, whatever they are, and equal ones as they are printed', async () => {
    const { merged } = await list(MANY);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 61, maxLength: 61 }), (scores) => {
        const skills = merged.skills.map((skill, at) => ({ ...skill, used: scores[at] ?? 0 }));
        const { listed } = chooseSkills(skills, { ...NO_WISHES, announce: false, requirements: null });
        const best = listed.toSorted((left, right) => left.rank - right.rank).map(({ skill }) => skill);
        expect(listed.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual(listed.map((_, at) => at));
        for (const [at, skill] of best.slice(1).entries()) {
          const before = best[at];
          expect((before?.used ?? 0) - skill.used).toBeGreaterThanOrEqual(0);
          if (before?.used === skill.used) expect(skills.indexOf(before)).toBeLessThan(skills.indexOf(skill));
        }
      }),
    );
  });
});

it('a view has another fingerprint with every snapshot, and the same with the same', async () => {
  const fingerprint = async (usage?: UsageSnapshot) => (await list(MANY, usage)).view.fingerprint;
  const all = [undefined, snapshot({ 'skill-65': 1_000 }), snapshot({ 'skill-65': 1_000 })];
  const first = await Promise.all(all.map(fingerprint));
  expect(new Set(first).size).toBe(3);
  expect(await Promise.all(all.map(fingerprint))).toEqual(first);
});
