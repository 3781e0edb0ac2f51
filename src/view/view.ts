import { flagOf } from '../catalog/merkle-catalog.ts';
import { byPrecedence, type Layer, layerKind, type Space, spaceOf } from '../catalog/layers.ts';
import { PRECEDENCES } from '../catalog/precedence.ts';
import { digestOf } from '../core/digest.ts';
import { type CompiledRules, compileRules } from '../policy/decide.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { layerRules } from './settings/layer-policy.ts';
import { DEFAULT_SETTINGS, type OrgSettings } from './settings/org-settings.ts';
import { type SkillState, type SkillStates, strictestState } from './settings/skill-states.ts';
import type { UsageSnapshot } from './usage-snapshot.ts';
import type { Head, ViewRecord } from './view-record.ts';

/** One layer that a request sees, with the catalog it stands at. */
export interface ViewLayer {
  readonly layer: Layer;
  readonly space: Space;
  readonly head: Head;
}

/** Everything a request may see, in precedence order: the only way to a skill. */
export interface View {
  readonly organisation: string;
  readonly layers: readonly ViewLayer[];
  readonly settings: OrgSettings;
  /** Where everyone with a say in it put skills: the organisation, and what narrows its view. */
  readonly states: readonly SkillStates[];
  /** Feature flags that are on, for the deployment or the organisation. */
  readonly flags: ReadonlySet<string>;
  readonly rules: readonly PolicyRule[];
  readonly compiledRules: CompiledRules;
  /** Unix milliseconds: when the first of these rules ends, and the view has to be put together again. */
  readonly validUntil: number;
  /** How much skills are used; null where nothing was yet. */
  readonly usage: UsageSnapshot | null;
  /** Changes whenever a listing or a decision of this view might: the heads, the settings, the rules and the usage. */
  readonly fingerprint: string;
}

/** Puts the records of the asked-for layers together. Layers that were never published are simply not there. */
export function assembleView(
  organisation: string,
  records: readonly (ViewRecord | null)[],
  deploymentFlags: readonly string[] = [],
): View {
  const found = records.filter((record) => record !== null);
  const own = found.find((record) => record.layer === 'org');
  const settings = own?.settings ?? DEFAULT_SETTINGS;
  const order = PRECEDENCES[settings.precedence].layers;
  const asked = found.map((record) => record.layer);
  const layers = byPrecedence(asked, order).flatMap((layer): ViewLayer[] => {
    const head = found.find((record) => record.layer === layer)?.head;
    if (!head || (layerKind(layer) === 'bundled' && !settings.bundled.enabled)) return [];
    return [{ layer, space: spaceOf(layer, organisation), head }];
  });
  const usage = own?.usage ?? null;
  const { rules, until } = layerRules(settings, found, Date.now());
  const state = JSON.stringify([
    layers.map(({ layer, head }) => [layer, head.catalog, head.index]),
    settings,
    deploymentFlags,
    usage?.at,
    rules,
  ]);
  return {
    organisation,
    layers,
    settings,
    states: [settings.states],
    flags: new Set([...deploymentFlags, ...settings.flags]),
    rules,
    compiledRules: compileRules(rules),
    validUntil: until,
    usage,
    fingerprint: digestOf(state),
  };
}

/** True where somebody with a say in it switched this skill off, or its flag is not on: it is then neither listed nor found. */
export function isSwitchedOff(view: View, { layer, head }: ViewLayer, name: string): boolean {
  const flag = flagOf(head.gates ?? {}, name);
  if (flag !== null && !view.flags.has(flag)) return true;
  if (stateOf(view, layer, name) === 'off') return true;
  return layerKind(layer) === 'bundled' && view.settings.bundled.off.includes(name);
}

/** Every name that is switched off in a layer, whether or not it has such a skill. */
export function switchedOff(view: View, viewLayer: ViewLayer): string[] {
  const { layer, head } = viewLayer;
  const stated = view.states.flatMap((states) => Object.keys(states));
  const qualifier = `${layer}/`;
  const own = stated.flatMap((name) => (name.startsWith(qualifier) ? [name.slice(qualifier.length)] : []));
  const gated = Object.keys(head.gates ?? {});
  const names = new Set([...view.settings.bundled.off, ...stated, ...own, ...gated]);
  return [...names].filter((name) => isSwitchedOff(view, viewLayer, name));
}

/** Where this skill was put. */
export function stateOf(view: View, layer: Layer, name: string): SkillState {
  return strictestState(view.states, layer, name);
}
