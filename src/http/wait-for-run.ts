import { RUN_LIMITS } from '../core/limits.ts';
import { ok, type Result } from '../core/result.ts';
import type { RunView } from '../invoke/run-contract.ts';
import type { Principal } from '../view/principal.ts';
import type { AppContext } from './context.ts';
import { servicesFor } from './services.ts';

const POLL_MILLISECONDS = 100;

/**
 * `Prefer: wait=10` (RFC 7240) holds the answer back until the run has ended, or that many seconds. The run does not
 * depend on it: a caller who goes away or asks for less only reads it later.
 */
export async function waitForRun(
  context: AppContext,
  principal: Principal,
  run: RunView,
): Promise<Result<RunView>> {
  const wanted = Number(/(?:^|[,;\s])wait=(\d{1,4})/.exec(context.req.header('Prefer') ?? '')?.[1] ?? 0);
  const pauses = (Math.min(wanted, RUN_LIMITS.waitSeconds) * 1000) / POLL_MILLISECONDS;
  const { runs } = servicesFor(context.env);
  let current: Result<RunView> = ok(run);
  for (let pause = 0; pause < pauses && current.ok && current.value.status === 'running'; pause += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    current = await runs.read(principal.organisation, run.id, principal.layers);
  }
  return current;
}
