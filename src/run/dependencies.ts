import type { Model } from '../model/model.ts';
import { blobStore } from '../store/blob-store.ts';
import { type ToolGate, toolGate } from '../tool/tool-gate.ts';
import { type Toolbox, toolbox } from '../tool/toolbox.ts';
import type { BlobStore } from '../view/ports.ts';
import { engineOf } from '../model/engine.ts';
import { enginePorts } from './engine-ports.ts';
import { runbook } from './runbook.ts';
import { toolPorts } from './tool-ports.ts';
import type { StoredStart } from './stored-start.ts';

/** What a run uses of the world around its object. */
export interface RunDependencies {
  readonly blobs: Pick<BlobStore, 'readMany'>;
  model(start: StoredStart): Model | Promise<Model>;
  gate(start: StoredStart): ToolGate;
  tools(start: StoredStart): Toolbox;
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds between a step and the next: none, except for tests that step by hand. */
  readonly pauseMilliseconds: number;
}

export function productionDependencies(env: Env): RunDependencies {
  const ports = toolPorts(env);
  return {
    blobs: blobStore(env),
    model: ({ model, steps, organisation }) =>
      model.engine === 'runbook' ? runbook(steps) : engineOf(model, enginePorts(env, organisation)),
    gate: toolGate,
    tools: (start) => toolbox(start, ports),
    now: Date.now,
    pauseMilliseconds: 0,
  };
}
