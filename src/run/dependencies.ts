import { engineOf } from '../model/engine.ts';
import { eventLog } from '../events/event-log.ts';
import type { EventLog } from '../invoke/event.ts';
import type { RunList } from '../invoke/runs/run-list.ts';
import { durableRunList } from '../org/durable-run-list.ts';
import type { Runs } from '../invoke/runs/run-contract.ts';
import type { Model } from '../model/model.ts';
import { type HookWorld, realWorld } from '../sandbox/run-hook.ts';
import { blobStore } from '../store/blob-store.ts';
import { type ToolGate, toolGate } from '../tool/tool-gate.ts';
import { type Toolbox, toolbox } from '../tool/toolbox.ts';
import type { BlobStore } from '../view/ports.ts';
import { durableRuns } from './durable-runs.ts';
import { enginePorts } from './engine-ports.ts';
import { nestedPorts } from './nested-ports.ts';
import type { NestedPorts } from './nested-skills.ts';
import { runbook } from './runbook.ts';
import { toolPorts } from './tool-ports.ts';
import type { StoredStart } from './stored-start.ts';

/** What a run uses of the world around its object. */
export interface RunDependencies {
  readonly blobs: Pick<BlobStore, 'readMany'>;
  model(start: StoredStart): Model | Promise<Model>;
  gate(start: StoredStart): ToolGate;
  tools(start: StoredStart): Toolbox;
  readonly runs: Runs;
  /** The organisation's list of runs, and its audit log. */
  readonly list: Pick<RunList, 'tell'>;
  readonly events: EventLog;
  readonly nested: NestedPorts;
  readonly hooks: HookWorld;
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds between a step and the next: none, except for tests that step by hand. */
  readonly pauseMilliseconds: number;
}

export function productionDependencies(env: Env): RunDependencies {
  const ports = toolPorts(env);
  const runs = durableRuns(env.RUN);
  const events = eventLog(env);
  return {
    blobs: blobStore(env),
    model: ({ model, steps, organisation }) =>
      model.engine === 'runbook' ? runbook(steps) : engineOf(model, enginePorts(env, organisation)),
    gate: toolGate,
    tools: (start) => toolbox(start, ports),
    runs,
    list: durableRunList(env.ORG),
    events,
    nested: nestedPorts(env, runs, events),
    hooks: realWorld,
    now: Date.now,
    pauseMilliseconds: 0,
  };
}
