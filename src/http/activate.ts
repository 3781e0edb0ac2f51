import { REMOTE_LAYER } from '../catalog/layers.ts';
import type { Result } from '../core/result.ts';
import { denialReport } from '../invoke/denial.ts';
import type { Invocation } from '../invoke/invoke-skill.ts';
import type { PreparedSkill } from '../invoke/prepare-skill.ts';
import { type ActivationCall, reportActivation } from '../invoke/report-activation.ts';
import type { UseLog } from '../invoke/skill-use.ts';
import type { AppContext } from './context.ts';
import { type Services, servicesFor } from './services.ts';
import type { Caller } from './request/view-of.ts';

/** What the use cases need beside services: a log of uses that this request keeps, and an ear for what they find. */
interface ActivationPorts extends Services {
  readonly uses: UseLog;
  readonly note: (skill: PreparedSkill) => void;
}

/** The only way for a route to use a skill: so that no use goes without its event, and no denial without its record. */
export async function activate<Value extends Invocation>(
  context: AppContext,
  { principal, view }: Caller,
  call: ActivationCall,
  work: (ports: ActivationPorts) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const services = servicesFor(context.env);
  const waitUntil = (behind: Promise<void>) => context.executionCtx.waitUntil(behind);
  const uses: UseLog = {
    record: (organisation, use) => {
      // Uses are counted to rank listings, and remote skills are in none.
      if (use.layer !== REMOTE_LAYER) services.useBuffer.record(organisation, use, waitUntil);
    },
  };
  const known: { skill: PreparedSkill | null } = { skill: null };
  const result = await reportActivation(services.events, view, call, (note) =>
    work({
      ...services,
      uses,
      note: (skill) => {
        known.skill = skill;
        note(skill);
      },
    }),
  );
  const { skill } = known;
  const denial = !result.ok && skill ? denialReport(principal, skill, result.error, Date.now()) : null;
  if (denial) services.denialBuffer.record(principal.organisation, denial, waitUntil);
  return result;
}
