import { describe, expect, it } from 'vitest';
import { buildCatalog, CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import type { Trust } from '../../src/catalog/provenance.ts';
import { digestOf } from '../../src/core/digest.ts';
import { OrgSettings } from '../../src/view/settings/org-settings.ts';
import type { BlobStore, LayerSearch, SearchQuery } from '../../src/view/ports.ts';
import { searchSkills } from '../../src/view/search-skills.ts';
import { assembleView } from '../../src/view/view.ts';
import type { ViewRecord } from '../../src/view/view-record.ts';
import { entry } from '../catalog/entries.ts';

interface Layout {
  /** Names of the catalog that the head stands at. */
  readonly catalog: readonly string[];
  /** What the index says: name, and how often the one word of the query is in it. */
  readonly hits: readonly (readonly [name: string, frequency: number, trust?: Trust])[];
  readonly stale?: boolean;
  readonly broken?: boolean;
}

/** A view of layers, their catalogs and their indexes; `asked` notes what the indexes were asked. */
function deployment(layers: Readonly<Record<string, Layout>>, settings = {}) {
  const documents = new Map<string, CatalogShard>();
  const records = Object.entries(layers).map(([layer, { catalog }]): ViewRecord => {
    const built = buildCatalog(
      layer,
      catalog.map((name) => entry(name, { revision: digestOf(`${name} ${layer}`) })),
    );
    const parsed = built.shards.map(({ digest, text }) => ({
      digest,
      shard: CatalogShard.parse(JSON.parse(text)),
    }));
    for (const { digest, shard } of parsed) documents.set(digest, shard);
    const shards = parsed.map(({ digest, shard }) => {
      return { digest, first: shard.entries[0]?.name ?? '', count: shard.entries.length };
    });
    const head = {
      sequence: 1,
      catalog: built.root.digest,
      index: digestOf(''),
      entries: catalog.length,
      shards,
    };
    return { version: 1, layer, head, settings: layer === 'org' ? OrgSettings.parse(settings) : null };
  });
  const blobs: BlobStore = {
    readMany: async () => [],
    readDocuments: async (wanted, kind) =>
      wanted.map(({ digest }) => kind.parse(JSON.stringify(documents.get(digest) ?? null))),
  };
  const asked: (SearchQuery & { layer: string })[] = [];
  const search = async (layer: string, _organisation: string, query: SearchQuery): Promise<LayerSearch> => {
    asked.push({ ...query, layer });
    const { hits = [], stale = false, broken = false } = layers[layer] ?? {};
    if (broken) throw new Error('not now');
    const shown = hits.filter(([name]) => !query.hidden.includes(name));
    return {
      catalog: stale
        ? digestOf('older')
        : (records.find((record) => record.layer === layer)?.head?.catalog ?? null),
      skills: 10,
      length: 100,
      terms: [shown.length],
      hits: shown.map(([name, frequency, trust = 'trusted']) => ({
        name,
        revision: digestOf(`${name} ${layer}`),
        listing: 'auto',
        trust,
        length: 10,
        frequencies: [frequency],
        snippet: { text: '', marks: [] },
      })),
    };
  };
  const view = assembleView('acme', records);
  return {
    asked,
    find: (limit = 10) => searchSkills({ search: { search }, blobs }, view, { text: 'word', limit }),
  };
}

const named = async (answer: ReturnType<ReturnType<typeof deployment>['find']>) =>
  (await answer)?.results.map(({ name }) => name);

describe('searchSkills', () => {
  it('gives no answer where a layer gives none', async () => {
    const { find } = deployment({
      org: { catalog: ['a'], hits: [['a', 1]] },
      'user:a': { catalog: [], hits: [], broken: true },
    });
    expect(await find()).toBeNull();
  });

  it('orders by score, then precedence, then name, and cuts', async () => {
    const { find } = deployment({
      'user:a': {
        catalog: ['d', 'c', 'e'],
        hits: [
          ['d', 2],
          ['c', 2],
          ['e', 9],
        ],
      },
      org: { catalog: ['z'], hits: [['z', 2]] },
    });
    expect(await named(find())).toEqual(['e', 'z', 'c', 'd']);
    expect(await named(find(2))).toEqual(['e', 'z']);
  });

  it('qualifies a name that a layer before has, found or not, and every name from anybody', async () => {
    const { find } = deployment({
      org: { catalog: ['deploy'], hits: [] },
      'user:a': {
        catalog: ['deploy', 'mine', 'theirs'],
        hits: [
          ['deploy', 3],
          ['mine', 2],
          ['theirs', 1, 'community'],
        ],
      },
    });
    expect(await named(find())).toEqual(['user:a/deploy', 'mine', 'user:a/theirs']);
  });

  it('tells every layer which skills of it an organisation switched off by name', async () => {
    const states = { deploy: 'off', 'user:a/own': 'off', other: 'manual' } as const;
    const hits = [
      ['deploy', 2],
      ['own', 1],
    ] as const;
    const { find, asked } = deployment(
      { org: { catalog: ['deploy', 'own'], hits }, 'user:a': { catalog: ['deploy', 'own'], hits } },
      { states },
    );
    expect(await named(find())).toEqual(['own']);
    expect(asked.map(({ hidden }) => [hidden.includes('deploy'), hidden.includes('own')])).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it('tells a bundled skill that is switched off from the index, and frees its name', async () => {
    const off = { bundled: { off: ['deploy'] } };
    const { find, asked } = deployment(
      {
        bundled: { catalog: ['deploy'], hits: [['deploy', 9]] },
        org: { catalog: ['deploy'], hits: [['deploy', 1]] },
      },
      off,
    );
    expect(await named(find())).toEqual(['deploy']);
    expect(asked.map(({ layer, hidden }) => [layer, hidden])).toEqual([
      ['bundled', ['deploy']],
      ['org', []],
    ]);
  });

  it('says which index is behind, and shows nothing of it that is gone', async () => {
    const { find } = deployment({
      org: {
        catalog: ['kept'],
        hits: [
          ['gone', 9],
          ['kept', 1],
        ],
        stale: true,
      },
    });
    const { results = [], lag } = (await find()) ?? {};
    expect(results.map(({ name }) => name)).toEqual(['kept']);
    expect(lag).toMatchObject([{ layer: 'org', searched: digestOf('older'), current: false }]);
  });
});
