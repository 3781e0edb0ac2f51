import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../../src/catalog/catalog-entry.ts';
import { callableNames } from '../../../src/view/listing/callable-skills.ts';
import {
  chooseFor,
  type ListingWishes,
  mergeListing,
  NO_WISHES,
} from '../../../src/view/listing/list-skills.ts';
import { of, viewOver } from '../listing-views.ts';

async function names(
  entries: readonly CatalogEntry[],
  wishes: Partial<ListingWishes> = {},
  settings: Record<string, unknown> = {},
  own: readonly CatalogEntry[] = [],
) {
  const { view, blobs } = viewOver(
    [
      ['org', entries],
      ['user:a', own],
    ],
    settings,
  );
  const merged = await mergeListing(blobs, view);
  return merged && callableNames(merged, chooseFor(view, merged, { ...NO_WISHES, ...wishes }));
}

const a = of('a');
const waiting = of('w', 'org', { listing: 'conditional', paths: ['*.ts'] });
const hidden = of('h', 'org', { listing: 'manual' });
const mac = of('m', 'org', { platforms: ['macos'] });
const codex = of('c', 'org', { products: ['codex'] });

describe('names of all that a model may start', () => {
  it.each<[string, readonly CatalogEntry[], Partial<ListingWishes>, string[] | null]>([
    ['are none where there is none', [hidden], {}, []],
    ['have none that only people start', [a, hidden], {}, ['a']],
    ['have none that only people start, for people too', [a, hidden], { audience: 'user' }, ['a']],
    ['have none of other platforms and products', [a, codex, mac], {}, ['a']],
    ['have those of this platform', [a, codex, mac], { platform: 'macos' }, ['a', 'm']],
    ['are not all while one waits for a path', [a, waiting], {}, null],
    ['are all once it is touched', [a, waiting], { paths: ['x.ts'] }, ['a', 'w']],
    ['are all where it is announced', [a, waiting], { announce: true }, ['a', 'w']],
    ['are not all where one is manual', [a, of('u', 'org', { listing: 'unlisted' })], {}, null],
  ])('%s', async (_title, entries, wishes, expected) => {
    expect(await names(entries, wishes)).toEqual(expected);
  });

  it('have none that the host lacks something for, where such are hidden', async () => {
    const needy = of('n', 'org', { requires: [{ kind: 'bins', oneOf: ['gh'] }] });
    const has = { bins: [] };
    expect(await names([a, needy], { has }, { requirements: 'hide' })).toEqual(['a']);
    expect(await names([a, needy], { has })).toEqual(['a', 'n']);
  });

  it('are not all where one is reached by its layer only, or is beyond the index', async () => {
    expect(await names([a], {}, {}, [of('a', 'user')])).toBeNull();
    const many = Array.from({ length: 4_097 }, (_, at) => of(`s${10_000 + at}`));
    expect(await names(many)).toBeNull();
  });
});
