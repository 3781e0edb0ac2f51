import { describe, expect, it } from 'vitest';
import type { Layer } from '../../src/catalog/layers.ts';
import { isListed, ListingState, strictest } from '../../src/catalog/listing-state.ts';
import {
  PluginFacts,
  provenanceProblem,
  type SkillKind,
  Trust,
  usualTrust,
} from '../../src/catalog/provenance.ts';

const LAYERS: readonly Layer[] = ['bundled', 'org', 'user:a', 'project:a', 'plugin:a', 'mcp:a'];

describe('provenance', () => {
  it('is by no layer said to be more than it can be', () => {
    const allowed = LAYERS.map((layer) => [
      layer,
      Trust.options.filter((trust) => provenanceProblem(layer, { kind: 'skill', trust }) === null),
    ]);
    expect(allowed).toEqual([
      ['bundled', ['builtin', 'trusted', 'community', 'agent-created']],
      ['org', ['trusted', 'community', 'agent-created']],
      ['user:a', ['trusted', 'community', 'agent-created']],
      ['project:a', ['trusted', 'community', 'agent-created']],
      ['plugin:a', ['trusted', 'community', 'agent-created']],
      ['mcp:a', ['community', 'agent-created']],
    ]);
    const usual = LAYERS.map((layer) =>
      provenanceProblem(layer, { kind: 'skill', trust: usualTrust(layer) }),
    );
    expect(usual.every((problem) => problem === null)).toBe(true);
  });

  it('has kinds that belong to one layer', () => {
    const homes = (kind: SkillKind) =>
      LAYERS.filter((layer) => provenanceProblem(layer, { kind, trust: 'community' }) === null);
    expect(homes('builtin-plugin-skill')).toEqual(['bundled']);
    expect(homes('mcp-prompt')).toEqual(['mcp:a']);
    expect(homes('command')).toEqual(LAYERS);
  });

  it('holds few and short options of a plugin', () => {
    const facts = (options: Record<string, string>) =>
      PluginFacts.safeParse({ name: 'p', root: '', version: null, options }).success;
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, 'x']));
    expect([facts(many(32)), facts(many(33)), facts({ a: 'x'.repeat(257) })]).toEqual([true, false, false]);
  });
});

describe('listing states', () => {
  it('only ever become stricter', () => {
    for (const [index, state] of ListingState.options.entries()) {
      for (const other of ListingState.options.slice(index))
        expect([strictest(state, other), strictest(other, state)]).toEqual([other, other]);
    }
    expect(ListingState.options.filter(isListed)).toEqual(['auto', 'name-only']);
  });
});
