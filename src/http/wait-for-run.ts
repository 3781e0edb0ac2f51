import { RUN_LIMITS } from '../core/limits.ts';
import { ok, type Result } from '../core/result.ts';
import type { RunView } from '../invoke/runs/run-contract.ts';
import type { Principal } from '../view/principal.ts';
import type { AppContext } from './context.ts';
import { servicesFor } from './services.ts';

/**
 * `Prefer: wait=10` (RFC 7240) holds the answer back until the run has ended or waits for somebody, or that many seconds;
 * without it, a run that is not in the background is waited for as long as that goes. The run does not depend on it: a
 * caller who goes away or asks for less only reads it later.
 */
export async function waitForRun(
  context: AppContext,
  { organisation, layers }: Principal,
  run: RunView,
  background: boolean,
): Promise<Result<RunView>> {
  const said = /(?:^|[,;\s])wait=(\d{1,4})/.exec(context.req.header('Prefer') ?? '')?.[1];
  const seconds = said === undefined ? (background ? 0 : RUN_LIMITS.waitSeconds) : Number(said);
  if (seconds === 0 || run.status !== 'running') return ok(run);
  const milliseconds = Math.min(seconds, RUN_LIMITS.waitSeconds) * 1000;
  const address = { organisation, id: run.id, boundTo: layers };
  return servicesFor(context.env).runs.read(address, milliseconds);
}
