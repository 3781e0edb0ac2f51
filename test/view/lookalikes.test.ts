import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import type { Layer } from '../../src/catalog/layers.ts';
import type { PrecedenceName } from '../../src/catalog/precedence.ts';
import { findSkill } from '../../src/view/find-skill.ts';
import { fitToWindow, mergeListing } from '../../src/view/listing/list-skills.ts';
import { pageSkills } from '../../src/view/listing/page-skills.ts';
import type { PastRevisions } from '../../src/view/ports.ts';
import { visibleName } from '../../src/listing/visible-text.ts';
import { nameAsRead } from '../../src/view/taken-names.ts';
import { of, viewOver } from './listing-views.ts';

const past: PastRevisions = { byRevision: async () => [], byVersion: async () => [] };

/** A view over layers that are held in memory. */
function viewOf(
  layers: readonly (readonly [Layer, readonly CatalogEntry[]])[],
  precedence: PrecedenceName = 'skilledge',
) {
  const { view, blobs } = viewOver(layers, { precedence });
  return {
    view,
    blobs,
    async find(name: string): Promise<string> {
      const found = await findSkill({ blobs, past }, view, { name });
      return found.ok ? `${found.value.layer.layer} ${found.value.entry.name}` : found.error.code;
    },
    async listing() {
      const merged = await mergeListing(blobs, view);
      return merged ? fitToWindow(view, merged, 200_000) : null;
    },
  };
}

const theirs = (name: string) => of(name, 'mcp', { trust: 'community' });

describe('a name from anybody', () => {
  const lookalike = viewOf([
    ['org', [of('deploy', 'org'), of('Plan', 'org')]],
    ['mcp:s', [theirs('ｄeploy'), theirs('plan'), theirs('other')]],
  ]);

  it('that looks like one of a layer before it is neither listed nor found', async () => {
    expect(await lookalike.find('ｄeploy')).toBe('skill_unknown');
    expect(await lookalike.find('plan')).toBe('skill_unknown');
    const listing = await lookalike.listing();
    expect(listing?.counts).toMatchObject({ total: 5, full: 3, shadowed: 2 });
    expect(listing?.text).not.toMatch(/ｄeploy|- plan/);
  });

  it('is reached by its layer', async () => {
    expect(await lookalike.find('mcp:s/ｄeploy')).toBe('mcp:s ｄeploy');
    expect(await lookalike.find('mcp:s/plan')).toBe('mcp:s plan');
    expect(await lookalike.find('other')).toBe('mcp:s other');
    const page = await pageSkills(lookalike.blobs, lookalike.view, '', 10);
    expect(page?.skills.map(({ name }) => name)).toContain('mcp:s/ｄeploy');
  });

  it.each(['- deploy', '* deploy', 'deploy:', 'deploy: ', '\uff0d deploy', '• Deploy'])(
    'that is printed as one of a layer before it is neither: %j',
    async (name) => {
      const { find, listing, view, blobs } = viewOf([
        ['org', [of('deploy', 'org')]],
        ['mcp:s', [theirs(name)]],
      ]);
      expect((await listing())?.text).toBe('- deploy: About deploy');
      expect([await find(name), await find(`mcp:s/${name}`)]).toEqual(['skill_unknown', `mcp:s ${name}`]);
      const page = await pageSkills(blobs, view, '', 10);
      expect(page?.skills.map((skill) => skill.name).toSorted()).toEqual(['deploy', `mcp:s/${name}`]);
    },
  );

  it('is read as it is printed, in any case and with any dash', () => {
    const unit = fc.constantFrom(
      'a',
      'B',
      ':',
      ' ',
      '-',
      '/',
      '*',
      '\u2022',
      '\uff1a',
      '\u200b',
      '\u2010',
      '<',
    );
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 8 }), (name) => {
        expect(nameAsRead(visibleName(name))).toBe(nameAsRead(name));
        expect(nameAsRead(nameAsRead(name))).toBe(nameAsRead(name));
      }),
      { numRuns: 10_000 },
    );
  });

  it('does not make the names of trusted layers one', async () => {
    const trusted = viewOf([
      ['org', [of('deploy', 'org')]],
      ['user:a', [of('Deploy', 'user')]],
    ]);
    expect(await trusted.find('Deploy')).toBe('user:a Deploy');
    expect((await trusted.listing())?.counts.shadowed).toBe(0);
  });
});

describe('listing states', () => {
  it('show a name without its text, or nothing', async () => {
    const { listing } = viewOf([
      [
        'org',
        [
          of('a', 'org'),
          of('b', 'org', { listing: 'name-only' }),
          of('c', 'org', { listing: 'unlisted' }),
          of('d', 'org', { listing: 'manual' }),
          of('e', 'org', { listing: 'conditional' }),
        ],
      ],
    ]);
    const { text, counts } = (await listing()) ?? {};
    expect(text).toBe('- a: About a\n- b');
    expect(counts).toMatchObject({ total: 5, unlisted: 3 });
  });
});

describe('the precedence of an organisation', () => {
  const layers = (['mcp:m', 'plugin:p', 'project:w', 'user:u', 'org', 'bundled'] as const).map(
    (layer) => [layer, [of('x', layer)]] as const,
  );

  it.each([
    ['skilledge', ['bundled', 'org', 'user:u', 'project:w', 'plugin:p', 'mcp:m']],
    ['claude-code', ['org', 'user:u', 'project:w', 'bundled', 'plugin:p', 'mcp:m']],
    ['agentskills', ['project:w', 'user:u', 'org', 'bundled', 'plugin:p', 'mcp:m']],
    ['oh-my-pi', ['project:w', 'user:u', 'org', 'bundled', 'plugin:p', 'mcp:m']],
  ] as const)('%s is the order of its layers', async (precedence, order) => {
    const { view, find } = viewOf(layers, precedence);
    expect(view.layers.map(({ layer }) => layer)).toEqual(order);
    expect(await find('x')).toBe(`${order[0]} x`);
  });
});
