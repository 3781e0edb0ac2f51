import { blobStore } from '../store/blob-store.ts';
import type { BlobStore } from '../view/ports.ts';
import type { StoredStart } from './journal.ts';
import { engineOf } from '../model/engine.ts';
import type { Model } from '../model/model.ts';
import { enginePorts } from './engine-ports.ts';
import { runbook } from './runbook.ts';
import { type ToolGate, toolGate } from './tool-gate.ts';

/** What a run uses of the world around its object. */
export interface RunDependencies {
  readonly blobs: Pick<BlobStore, 'readMany'>;
  model(start: StoredStart): Model;
  gate(start: StoredStart): ToolGate;
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds between a step and the next: none, except for tests that step by hand. */
  readonly pauseMilliseconds: number;
}

export function productionDependencies(env: Env): RunDependencies {
  return {
    blobs: blobStore(env),
    model: ({ model, steps, organisation }) =>
      model.engine === 'runbook' ? runbook(steps) : engineOf(model, enginePorts(env, organisation)),
    gate: toolGate,
    now: Date.now,
    pauseMilliseconds: 0,
  };
}
