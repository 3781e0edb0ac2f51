import { type Layer, type LayerKind, layerKind } from '../../catalog/layers.ts';
import { digestOf } from '../../core/digest.ts';
import { compileRules } from '../../policy/decide.ts';
import { rulesInForce } from '../../policy/in-force.ts';
import { Effect, type PolicyRule, type RuleLayer } from '../../policy/rule.ts';
import type { OrgSettings } from './org-settings.ts';
import type { View } from '../view.ts';
import type { ViewRecord } from '../view-record.ts';

/** Layers of skills that have rules of their own. What a stranger wrote has none, whatever is stored of it. */
const WITH_RULES: Partial<Readonly<Record<LayerKind, RuleLayer>>> = {
  org: 'organisation',
  project: 'project',
  user: 'user',
};

/** Layers beside the organisation's own whose rules have to be read where only that is at hand. */
export function ruledLayers(layers: readonly Layer[]): Layer[] {
  return layers.filter((layer) => layer !== 'org' && ruleLayerOf(layer) !== null);
}

/** For whom the rules of a layer speak; null where it can have none. */
export function ruleLayerOf(layer: Layer): RuleLayer | null {
  return WITH_RULES[layerKind(layer)] ?? null;
}

/** The rules that count now among those that an organisation and the layers of a request have, and until when they do. */
export function layerRules(
  settings: OrgSettings,
  records: readonly ViewRecord[],
  now: number,
): { readonly rules: readonly PolicyRule[]; readonly until: number } {
  const ofSettings = Effect.options.flatMap((effect) =>
    settings.permissions[effect].map((pattern): PolicyRule => ({ effect, pattern, layer: 'organisation' })),
  );
  const ofLayers = records.flatMap((record) => {
    const layer = ruleLayerOf(record.layer);
    return layer === null ? [] : (record.policy ?? []).map((rule): PolicyRule => ({ ...rule, layer }));
  });
  return rulesInForce([...ofSettings, ...ofLayers], now);
}

/** The same view under more rules, such as those of a session or of one call. */
export function withRules(view: View, more: readonly PolicyRule[], now: number = Date.now()): View {
  if (more.length === 0) return view;
  const { rules: counting, until } = rulesInForce(more, now);
  const rules = [...view.rules, ...counting];
  return {
    ...view,
    rules,
    compiledRules: compileRules(rules),
    fingerprint: digestOf(JSON.stringify([view.fingerprint, counting])),
    validUntil: Math.min(view.validUntil, until),
  };
}
