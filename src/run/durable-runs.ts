import { type Result, fail } from '../core/result.ts';
import type { RunAddress, Runs } from '../invoke/runs/run-contract.ts';
import type { RunObject } from './run-object.ts';

/** Runs as Durable Objects, one each. An organisation has no `/` in it, so no two runs share a name. */
export function durableRuns(namespace: DurableObjectNamespace<RunObject>): Runs {
  const object = ({ organisation, id }: Pick<RunAddress, 'organisation' | 'id'>) =>
    namespace.getByName(`${organisation}/${id}`);
  return {
    start: (start) => answered(async () => object(start).start(start)),
    read: (address, milliseconds = 0) =>
      answered(async () => object(address).read(address.boundTo, milliseconds)),
    events: (address, after, limit, milliseconds) =>
      answered(async () => object(address).events(address.boundTo, after, limit, milliseconds)),
    cancel: (address, by) => answered(async () => object(address).cancel(address.boundTo, by)),
    files: (address, after, limit) =>
      answered(async () => object(address).listFiles(address.boundTo, after, limit)),
    file: (address, path) => answered(async () => object(address).readFile(address.boundTo, path)),
    nudge: (address) => answered(async () => object(address).nudge(address.boundTo)),
    answer: (address, answer) => answered(async () => object(address).answer(address.boundTo, answer)),
  };
}

/** An object that cannot be reached is a problem like any other. Every call may be made again. */
async function answered<Value>(call: () => Promise<Result<Value>>): Promise<Result<Value>> {
  try {
    return await call();
  } catch {
    return fail({
      code: 'storage_unavailable',
      detail: 'the run could not be reached',
      hint: 'make the same request again',
    });
  }
}
