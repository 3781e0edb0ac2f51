import { z } from 'zod';
import { DigestSchema, SkillFile } from '../catalog/revision.ts';
import { Layer, UsedLayer } from '../catalog/layers.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { Result } from '../core/result.ts';
import { EngineName, ModelChoice } from '../model/model-choice.ts';
import type { ModelFailure } from '../model/model.ts';
import { PolicyRule } from '../policy/rule.ts';

/** Tool patterns at the start of a run: what the skill asked for, what the caller gave, what is therefore missing. */
export const RunTools = z.strictObject({
  declared: z.array(z.string()),
  granted: z.array(z.string()),
  missing: z.array(z.string()),
});
export type RunTools = z.infer<typeof RunTools>;

/** Everything a run needs to work without its caller, fixed at the start. Handed to the run's object by RPC. */
export const RunStart = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  organisation: z.string(),
  skill: z.strictObject({
    name: z.string(),
    layer: UsedLayer,
    revision: DigestSchema,
    /** Where the skill's files are mounted, read-only: `/skills/NAME`. */
    directory: z.string().startsWith('/skills/'),
    files: z.array(SkillFile),
  }),
  /** The expanded skill, the first user message of the sub-agent. */
  prompt: z.string(),
  /** The skill's shell blocks with everything filled in, for the engine `runbook`; no argument can add one. */
  steps: z.array(z.string()),
  engine: EngineName,
  /** Absent in runs from before there were models. */
  model: ModelChoice.default({ engine: 'runbook' }),
  tools: RunTools,
  /** The organisation's rules as they were at the start. */
  rules: z.array(PolicyRule),
  /** Input files, placed below the workspace. */
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        content: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
      }),
    )
    .max(RUN_LIMITS.files),
  /** Layers that the starting token was bound to; only such a token, or an unbound one, reads the run. */
  boundTo: z.array(Layer).nullable(),
  startedBy: z.string(),
  /** Digest of the request, so that one idempotency key cannot stand for two different starts. */
  fingerprint: DigestSchema,
});
export type RunStart = z.infer<typeof RunStart>;

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'stopped';

/** Why a run ended. `completed` is the only good one. */
export type StopReason =
  | 'completed'
  | 'step_failed'
  | 'commands_missing'
  | 'no_steps'
  | 'turn_limit'
  | 'tool_call_limit'
  | 'wall_time_limit'
  | 'workspace_limit'
  | 'output_limit'
  | 'model_refused'
  | ModelFailure
  | 'internal_error';

/** One row of the journal, as people see it. */
export interface RunStep {
  readonly sequence: number;
  readonly kind: 'model' | 'tool';
  readonly state: 'started' | 'done';
  /** How often the step was begun: 1 unless the object was killed inside it. */
  readonly attempts: number;
  readonly tool?: string;
  readonly input?: string;
  readonly output?: string;
  readonly exitCode?: number;
  readonly startedAt: string;
  readonly endedAt?: string;
}

export interface RunView {
  readonly id: string;
  readonly status: RunStatus;
  readonly stopReason: StopReason | null;
  readonly skill: { readonly name: string; readonly layer: Layer; readonly revision: string };
  /** The engine that answered, on every result: `runbook` means that no model was involved. */
  readonly engine: RunStart['engine'];
  /** As its provider knows it; null for the engine `runbook`. */
  readonly model: string | null;
  readonly tools: RunTools;
  readonly result: string | null;
  readonly steps: readonly RunStep[];
  /** Files of the workspace, with their sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly usage: { readonly turns: number; readonly toolCalls: number };
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** What the use cases need of forked execution; `run/` implements it with one Durable Object a run. */
export interface Runs {
  /** Durable when it returns. Starting the same id again joins the run; another fingerprint is `run_conflict`. */
  start(start: RunStart): Promise<Result<RunView>>;
  /** `run_unknown` for a run that is not there or not this caller's; reading it stores nothing. */
  read(organisation: string, id: string, boundTo: readonly Layer[] | null): Promise<Result<RunView>>;
}
