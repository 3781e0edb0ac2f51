import { type Result, fail } from '../core/result.ts';
import type { RunView, Runs } from '../invoke/run-contract.ts';
import type { RunObject } from './run-object.ts';

/** Runs as Durable Objects, one each. An organisation has no `/` in it, so no two runs share a name. */
export function durableRuns(namespace: DurableObjectNamespace<RunObject>): Runs {
  return {
    start: (start) => answered(namespace.getByName(`${start.organisation}/${start.id}`).start(start)),
    read: (organisation, id, boundTo) => answered(namespace.getByName(`${organisation}/${id}`).read(boundTo)),
  };
}

/** An object that cannot be reached is a problem like any other. Both calls may be made again. */
async function answered(call: Promise<Result<RunView>>): Promise<Result<RunView>> {
  try {
    return await call;
  } catch {
    return fail({
      code: 'storage_unavailable',
      detail: 'the run could not be reached',
      hint: 'make the same request again',
    });
  }
}
