import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Layer } from '../../src/catalog/layers.ts';
import { mayVouch, mostTrust, Trust } from '../../src/catalog/provenance.ts';
import { installDecision, publisherTrust } from '../../src/publish/install-decision.ts';
import { Verdict } from '../../src/scan/finding.ts';
import {
  INSTALL_MATRIX,
  InstallDecision,
  InstallSettings,
  strictestDecision,
} from '../../src/view/settings/install-rules.ts';
import type { Principal } from '../../src/view/principal.ts';
import { Actor } from '../../src/view/token.ts';
import { CELLS } from '../support/install-cells.ts';

const NOTHING = InstallSettings.parse({});
const PUBLISHERS: Readonly<Record<Trust, { trust: Principal['trust']; actor: Actor; layer: Layer }>> = {
  builtin: { trust: 'builtin', actor: 'service', layer: 'bundled' },
  trusted: { trust: 'trusted', actor: 'service', layer: 'org' },
  community: { trust: 'community', actor: 'service', layer: 'org' },
  'agent-created': { trust: 'trusted', actor: 'agent', layer: 'org' },
};

function decide(
  origin: Trust,
  verdict: Verdict,
  more: { complete?: boolean; force?: boolean; settings?: InstallSettings } = {},
) {
  const { trust, actor, layer } = PUBLISHERS[origin];
  const { complete = true, force = false, settings = NOTHING } = more;
  const own = publisherTrust({ trust, actor }, layer, settings);
  return installDecision({ trust, actor }, { layer, trust: own, verdict, complete, force }, settings);
}

const trustOf = fc.constantFrom(...Trust.options);
const verdictOf = fc.constantFrom(...Verdict.options);
const decisionOf = fc.constantFrom(...InstallDecision.options);
/** Any settings that say something stricter than the matrix, somewhere. */
const settingsOf = fc
  .record({
    publishers: fc.constantFrom('trusted' as const, 'community' as const),
    wishes: fc.array(fc.tuple(trustOf, verdictOf, decisionOf), { maxLength: 6 }),
  })
  .map(({ publishers, wishes }) => {
    const decisions: Record<string, Record<string, InstallDecision>> = {};
    for (const [trust, verdict, decision] of wishes) {
      if (trust === 'builtin') continue;
      const strict = strictestDecision(decision, INSTALL_MATRIX[trust][verdict]);
      decisions[trust] = { ...decisions[trust], [verdict]: strict };
    }
    return InstallSettings.parse({ publishers, decisions });
  });

describe('the decision about an installation', () => {
  it.each(CELLS)('%s and %s: %s', (origin, verdict, decision) => {
    expect(decide(origin, verdict)).toEqual({ origin, decision, forced: false });
  });

  it('is never less strict for settings, and never changes for the deployment', () => {
    fc.assert(
      fc.property(trustOf, verdictOf, fc.boolean(), settingsOf, (origin, verdict, complete, settings) => {
        const plain = decide(origin, verdict, { complete }).decision;
        const ruled = decide(origin, verdict, { complete, settings }).decision;
        expect(strictestDecision(plain, ruled)).toBe(ruled);
        if (origin === 'builtin') expect(ruled).toBe('allow');
      }),
    );
  });

  it('asks at least where not all could be looked at', () => {
    for (const origin of Trust.options.slice(1)) {
      for (const verdict of Verdict.options)
        expect(decide(origin, verdict, { complete: false, force: true }).decision).not.toBe('allow');
    }
  });

  it('lets force pass a warning, and nothing that is dangerous or not looked at, and no agent', () => {
    fc.assert(
      fc.property(trustOf, verdictOf, fc.boolean(), settingsOf, (origin, verdict, complete, settings) => {
        const plain = decide(origin, verdict, { complete, settings }).decision;
        const { decision, forced } = decide(origin, verdict, { complete, settings, force: true });
        const passes = verdict !== 'dangerous' && complete && origin !== 'agent-created';
        expect(decision).toBe(passes ? 'allow' : plain);
        expect(forced).toBe(decision !== plain);
      }),
    );
    expect(decide('community', 'caution', { force: true }).decision).toBe('allow');
  });

  it('takes the strictest of what token, layer and catalog say', () => {
    const ask = (trust: Principal['trust'], actor: Actor, layer: Layer, said: Trust, verdict: Verdict) =>
      installDecision(
        { trust, actor },
        { layer, trust: said, verdict, complete: true, force: false },
        NOTHING,
      ).decision;
    // Of its own free will a publisher can say less of a skill, which makes nothing easier.
    expect(ask('trusted', 'service', 'plugin:p', 'community', 'caution')).toBe('block');
    expect(ask('community', 'service', 'org', 'agent-created', 'caution')).toBe('block');
    expect(ask('trusted', 'service', 'org', 'agent-created', 'dangerous')).toBe('block');
    expect(ask('trusted', 'agent', 'mcp:x', 'agent-created', 'caution')).toBe('block');
    expect(ask('community', 'agent', 'org', 'agent-created', 'caution')).toBe('block');
  });

  it('can count the own publishers of an organisation as anybody', () => {
    const settings = InstallSettings.parse({ publishers: 'community' });
    expect(decide('trusted', 'caution', { settings })).toMatchObject({
      origin: 'community',
      decision: 'block',
    });
  });
});

describe('the trust that a publisher gives', () => {
  it('is never more than its layer can have, nor than its token says', () => {
    const layers: Layer[] = ['bundled', 'org', 'user:a', 'project:a', 'plugin:a', 'mcp:a'];
    for (const layer of layers) {
      for (const trust of ['builtin', 'trusted', 'community'] as const) {
        for (const actor of Actor.options) {
          const given = publisherTrust({ trust, actor }, layer, NOTHING);
          expect(mayVouch(mostTrust(layer), given)).toBe(true);
          expect(given === 'agent-created').toBe(actor === 'agent');
          if (trust === 'community') expect(mayVouch('community', given)).toBe(true);
        }
      }
    }
  });
});

describe('the settings of installing', () => {
  it.each([
    { decisions: { trusted: { dangerous: 'ask' } } },
    { decisions: { community: { caution: 'allow' } } },
    { decisions: { 'agent-created': { dangerous: 'allow' } } },
    { decisions: { builtin: { safe: 'block' } } },
    { decisions: { trusted: { nonsense: 'block' } } },
    { publishers: 'builtin' },
  ])('do not take %j', (settings) => {
    expect(InstallSettings.safeParse(settings).success).toBe(false);
  });
});
