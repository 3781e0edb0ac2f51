import { narrowView, viewForAgent } from '../view/narrow-view.ts';
import { assembleView, type View } from '../view/view.ts';
import type { ViewRecord } from '../view/view-record.ts';
import type { Pin, SessionPins } from './session-contract.ts';
import type { Surroundings } from '../view/surroundings.ts';

/**
 * What an agent of a session sees: the catalogs that the session stands at, under the settings and rules of now. What was
 * switched off or forbidden since is so for sessions too.
 */
export function sessionView(
  organisation: string,
  { layers, pins, states }: Pick<SessionPins, 'layers' | 'pins' | 'states'>,
  { organisation: current, flags }: Surroundings,
  agent: string,
): View {
  const records = layers.map((layer): ViewRecord => {
    const head = headOf(pins, layer);
    return layer === 'org' && current ? { ...current, head } : { version: 1, layer, head, settings: null };
  });
  return narrowView(viewForAgent(assembleView(organisation, records, flags), agent), states);
}

function headOf(pins: readonly Pin[], layer: string): Pin['head'] | null {
  return pins.find((pin) => pin.layer === layer)?.head ?? null;
}
