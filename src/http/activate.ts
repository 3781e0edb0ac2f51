import { REMOTE_LAYER } from '../catalog/layers.ts';
import type { Result } from '../core/result.ts';
import type { Invocation } from '../invoke/invoke-skill.ts';
import type { PreparedSkill } from '../invoke/prepare-skill.ts';
import { type ActivationCall, reportActivation } from '../invoke/report-activation.ts';
import type { UseLog } from '../invoke/skill-use.ts';
import type { View } from '../view/view.ts';
import type { AppContext } from './context.ts';
import { type Services, servicesFor } from './services.ts';

/** What the use cases need beside services: a log of uses that this request keeps, and an ear for what they find. */
interface ActivationPorts extends Services {
  readonly uses: UseLog;
  readonly note: (skill: PreparedSkill) => void;
}

/** The only way for a route to use a skill: so that no use goes without its event. */
export function activate<Value extends Invocation>(
  context: AppContext,
  view: View,
  call: ActivationCall,
  work: (ports: ActivationPorts) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const services = servicesFor(context.env);
  const uses: UseLog = {
    record: (organisation, use) => {
      // Uses are counted to rank listings, and remote skills are in none.
      if (use.layer === REMOTE_LAYER) return;
      services.useBuffer.record(organisation, use, (behind) => context.executionCtx.waitUntil(behind));
    },
  };
  return reportActivation(services.events, view, call, (note) => work({ ...services, uses, note }));
}
