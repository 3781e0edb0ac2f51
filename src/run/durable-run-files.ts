import { fail, type Result } from '../core/result.ts';
import type { RunFiles } from '../invoke/run-files.ts';
import type { RunObject } from './run-object.ts';

/** The files of runs, each read from its run's Durable Object. */
export function durableRunFiles(namespace: DurableObjectNamespace<RunObject>): RunFiles {
  return {
    list: ({ organisation, boundTo }, run, after, limit) =>
      answered(() => namespace.getByName(`${organisation}/${run}`).listFiles(boundTo, after, limit)),
    read: ({ organisation, boundTo }, run, path) =>
      answered(() => namespace.getByName(`${organisation}/${run}`).readFile(boundTo, path)),
  };
}

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
