import { withRules } from '../../view/settings/layer-policy.ts';
import { narrowView, viewForAgent } from '../../view/narrow-view.ts';
import { assembleView, type View } from '../../view/view.ts';
import type { ViewRecord } from '../../view/view-record.ts';
import type { Pin, SessionPins } from './session-contract.ts';
import type { Surroundings } from '../../view/surroundings.ts';

/**
 * What an agent of a session sees: the catalogs that the session stands at, under the settings and rules of now. What was
 * switched off or forbidden since is so for sessions too.
 */
export function sessionView(
  organisation: string,
  session: Pick<SessionPins, 'layers' | 'pins' | 'states'> & Partial<Pick<SessionPins, 'rules'>>,
  { organisation: current, flags, policies = [] }: Surroundings,
  agent: string,
): View {
  const { layers, pins, states, rules = [] } = session;
  const records = layers.map((layer): ViewRecord => {
    const head = headOf(pins, layer);
    if (layer === 'org' && current) return { ...current, head };
    const policy = policies.find((record) => record.layer === layer)?.policy;
    return { version: 1, layer, head, settings: null, ...(policy ? { policy } : {}) };
  });
  const view = narrowView(viewForAgent(assembleView(organisation, records, flags), agent), states);
  return withRules(view, rules);
}

function headOf(pins: readonly Pin[], layer: string): Pin['head'] | null {
  return pins.find((pin) => pin.layer === layer)?.head ?? null;
}
