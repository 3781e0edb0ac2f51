import { ok, type Result } from '../../core/result.ts';
import type { Principal } from '../../view/principal.ts';
import type { View } from '../../view/view.ts';
import type { ForkedInvocation, Invocation, InvokeRequest } from '../invoke-skill.ts';
import { type InvokePorts, type PreparedSkill, prepareSkill } from '../prepare-skill.ts';
import type { SessionScene } from '../sessions/session-scene.ts';
import { runOfKey, type RunPorts, startRun } from './start-run.ts';

/** Uses a skill apart from its caller, whatever it says of its context: as a run, or as a question to a person. */
export async function runSkill(
  ports: InvokePorts & RunPorts,
  principal: Principal,
  view: View,
  request: InvokeRequest,
  session: SessionScene | null,
): Promise<Result<Extract<Invocation, { readonly kind: 'ask' | 'forked' }>>> {
  const prepared = await prepareSkill(ports, view, request, request.approvalId, session, () => ({
    kind: 'use',
    run: runOfKey(principal, request.idempotencyKey),
  }));
  if (!prepared.ok) return prepared;
  if (prepared.value.kind === 'ask') return ok(prepared.value);
  return forkSkill(ports, principal, view, prepared.value, request);
}

export async function forkSkill(
  ports: RunPorts,
  principal: Principal,
  view: View,
  skill: PreparedSkill,
  request: InvokeRequest,
): Promise<Result<ForkedInvocation>> {
  const run = await startRun(ports, principal, view, skill, request);
  if (!run.ok) return run;
  return ok({ kind: 'forked', run: run.value, background: skill.details.report.fields.background });
}
