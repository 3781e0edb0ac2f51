import { z } from 'zod';
import type { AuditActor } from '../../audit/audit-act.ts';
import { DigestSchema, SkillFile } from '../../catalog/revision.ts';
import { Layer, UsedLayer } from '../../catalog/layers.ts';
import type { Json } from '../../core/canonical-json.ts';
import { RUN_LIMITS, SESSION_LIMITS } from '../../core/limits.ts';
import type { Result } from '../../core/result.ts';
import { McpServers } from '../../view/settings/mcp-settings.ts';
import { HookAction } from '../../format/fields/hook-schema.ts';
import { Effort } from '../../format/fields/skill-fields.ts';
import { ModelChoice } from '../../model/model-choice.ts';
import { ModelFailure } from '../../model/model.ts';
import { PolicyRule } from '../../policy/rule.ts';
import { OrgSettings } from '../../view/settings/org-settings.ts';
import { RunLimits } from '../../view/settings/run-limits.ts';
import { SkillStates } from '../../view/settings/skill-states.ts';
import { Actor } from '../../view/token.ts';
import type { RunEventPage } from './run-event.ts';
import type { RunFile, RunFilePage } from './run-files.ts';

/** Tool patterns at the start of a run: what the skill asked for, what the caller gave, what is therefore missing. */
export const RunTools = z.strictObject({
  declared: z.array(z.string()),
  granted: z.array(z.string()),
  missing: z.array(z.string()),
});
export type RunTools = z.infer<typeof RunTools>;

const JsonValue: z.ZodType<Json> = z.json();
export const JsonSchema = z.record(z.string(), JsonValue);

/** A tool of the host: the run waits while the host does what it asks for. */
export const ClientTool = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/),
  description: z.string().max(RUN_LIMITS.clientToolCharacters).default(''),
  inputSchema: JsonSchema,
});
export type ClientTool = z.infer<typeof ClientTool>;

/** A hook of the skill, as the run knows it. */
export const RunHook = z.strictObject({
  hook: z.string(),
  event: z.string(),
  skill: z.string(),
  layer: Layer,
  matcher: z.string().nullable(),
  action: HookAction,
  pluginRoot: z.string().nullable(),
  skillDirectory: z.string().nullable(),
});
export type RunHook = z.infer<typeof RunHook>;

/** Everything a run needs to work without its caller, fixed at the start. Handed to the run's object by RPC. */
export const RunStart = z.strictObject({
  version: z.literal(2),
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
  agent: z.strictObject({
    name: z.string(),
    /** The system prompt; null for an engine that reads none. */
    system: z.string().nullable(),
    effort: Effort.nullable(),
  }),
  /** The expanded skill, the first user message of the sub-agent. */
  prompt: z.string(),
  /** The skill's shell blocks with everything filled in, for the engine `runbook`; no argument can add one. */
  steps: z.array(z.string()),
  model: ModelChoice,
  tools: RunTools,
  clientTools: z.array(ClientTool).max(RUN_LIMITS.clientTools),
  limits: RunLimits,
  /** How long it waits for a person or the host, before the answer is no. */
  waitMilliseconds: z.int().min(1).max(RUN_LIMITS.actionMilliseconds),
  /** What the result has to be, as a JSON Schema; null: any text. */
  resultSchema: JsonSchema.nullable(),
  /** Hooks of the skill, registered for this run alone. */
  hooks: z.array(RunHook).max(SESSION_LIMITS.hooksOfSkill),
  /** The organisation's rules and settings as they were at the start. */
  rules: z.array(PolicyRule),
  /** Servers of MCP tools that the skill declares and its caller grants, as they were set at the start. */
  mcpServers: McpServers.default({}),
  settings: z.strictObject({ hooks: OrgSettings.shape.hooks, events: OrgSettings.shape.events }),
  /** The run that started this one; null for one that a caller did. */
  parent: z.string().nullable(),
  /** Skills that are being used from the first run down to this one, `layer/name`: none of them is forked again below. */
  ancestors: z.array(z.string()),
  /** Layers that a skill inside of the run is looked for in. */
  scope: z.array(Layer),
  /** What hides some of them from its caller: an agent's settings, a session's. The organisation's own are read anew. */
  states: z.array(SkillStates).default([]),
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
  /** What that token says of its holder. */
  actor: Actor.default('service'),
  /** Digest of the request, so that one idempotency key cannot stand for two different starts. */
  fingerprint: DigestSchema,
});
export type RunStart = z.infer<typeof RunStart>;

export const RunStatus = z.enum(['running', 'succeeded', 'failed', 'stopped', 'cancelled']);
export type RunStatus = z.infer<typeof RunStatus>;

/** As callers see it: a run that waits for a person or a host, itself or below it, does not merely run. */
export const ShownStatus = z.enum([...RunStatus.options, 'requires_action']);
export type ShownStatus = z.infer<typeof ShownStatus>;

/** Why a run ended. `completed` is the only good one. */
export const StopReason = z.enum([
  'completed',
  'cancelled',
  // Limits: the result is what there was by then.
  'turn_limit',
  'tool_call_limit',
  'token_limit',
  'cost_limit',
  'wall_time_limit',
  'depth_limit',
  'workspace_limit',
  'output_limit',
  /** The same call had the same result again and again. */
  'repeated_call',
  /** The result is not what the schema asks for, after one repair. */
  'result_invalid',
  'model_refused',
  ...ModelFailure.options,
  // Of the engine `runbook`.
  'step_failed',
  'commands_missing',
  'no_steps',
  'internal_error',
]);
export type StopReason = z.infer<typeof StopReason>;

/** One row of the journal, as people see it. */
export interface RunStep {
  readonly sequence: number;
  readonly kind: 'model' | 'tool' | 'wait' | 'hook' | 'compaction';
  /** `stopped`: the run ended while it worked, and nothing of it was kept. */
  readonly state: 'started' | 'done' | 'stopped';
  /** How often the step was begun: 1 unless the object was killed inside it. */
  readonly attempts: number;
  readonly tool?: string;
  readonly input?: string;
  readonly output?: string;
  readonly exitCode?: number;
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** What a run waits for: a person who approves a call, or the host that makes one. */
export interface RequiredAction {
  /** Below a run that waits for this one, the id has the steps that lead here: `act_7_3`. */
  readonly id: string;
  /** The run that waits: this one, or one below it. */
  readonly run: string;
  readonly kind: 'approval' | 'tool_call';
  /** The model's id of the call. */
  readonly call: string;
  readonly tool: string;
  /** For an approval as rules see it, for Bash the command; of a tool of the host the whole input as JSON. */
  readonly input: string;
  /** Why a person is asked. */
  readonly reason: string | null;
  /** The skill that the call would use, where that is the question: a yes is for this revision. */
  readonly skill: { readonly name: string; readonly layer: Layer; readonly revision: string } | null;
  readonly askedAt: string;
  /** Then the answer is no. */
  readonly until: string;
}

/** Tokens of one model, by kind; kinds do not overlap. */
export interface TokenUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface RunUsage {
  readonly turns: number;
  readonly toolCalls: number;
  /** By model, nested runs included. */
  readonly tokens: Readonly<Record<string, TokenUsage>>;
  /** US dollars; null where the organisation set no prices for a model that was used. */
  readonly cost: number | null;
}

/** A hook that an event fired and nobody ran. */
export interface SkippedHook {
  readonly hook: string;
  readonly event: string;
  readonly type: HookAction['type'];
  readonly matcher: string | null;
  readonly reason: string;
  /** How often, for this reason. */
  readonly times: number;
}

export interface RunView {
  readonly id: string;
  readonly status: ShownStatus;
  readonly stopReason: StopReason | null;
  readonly skill: { readonly name: string; readonly layer: Layer; readonly revision: string };
  readonly agent: string;
  /** The engine that answered, on every result: `runbook` means that no model was involved. */
  readonly engine: ModelChoice['engine'];
  /** As its provider knows it; null for the engine `runbook`. */
  readonly model: string | null;
  readonly tools: RunTools;
  readonly limits: RunLimits;
  readonly requiredActions: readonly RequiredAction[];
  /** Hooks of the skill that fired and were not run here, so that whatever they guard was not guarded. */
  readonly hooksNotRun: readonly SkippedHook[];
  readonly result: string | null;
  /** `json` where the result has a schema. */
  readonly resultFormat: 'text' | 'json';
  readonly steps: readonly RunStep[];
  /** Files of the workspace, with their sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly usage: RunUsage;
  /** Spent waiting for people and hosts, in runs below this one too: no work, and no limit counts it. */
  readonly waitedMilliseconds: number;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** Which run, and for whom: `boundTo` are the layers that the caller's token is bound to. */
export interface RunAddress {
  readonly organisation: string;
  readonly id: string;
  readonly boundTo: readonly Layer[] | null;
}

/** An answer to what a run waits for. */
export type ActionAnswer =
  | { readonly kind: 'approval'; readonly id: string; readonly approve: boolean; readonly by: AuditActor }
  | { readonly kind: 'tool_call'; readonly id: string; readonly output: string; readonly isError: boolean };

/** What the use cases need of forked execution; `run/` implements it with one Durable Object a run. */
export interface Runs {
  /** Durable when it returns. Starting the same id again joins the run; another fingerprint is `run_conflict`. */
  start(start: RunStart): Promise<Result<RunView>>;
  /**
   * As it is, or as it is once it ended or waits for somebody, at most so much later. Every call but `start` is
   * `run_unknown` for a run that is not there or not this caller's, and stores nothing then.
   */
  read(address: RunAddress, milliseconds?: number): Promise<Result<RunView>>;
  /** Events behind `after`; where there are none yet, those that come within that time. */
  events(
    address: RunAddress,
    after: number,
    limit: number,
    milliseconds: number,
  ): Promise<Result<RunEventPage>>;
  /** A run that has ended stays as it is. `by`: who wants it, for the audit log; null: a run above. */
  cancel(address: RunAddress, by: AuditActor | null): Promise<Result<RunView>>;
  /** `run_not_waiting` where it does not wait for this, or was told otherwise. */
  answer(address: RunAddress, answer: ActionAnswer): Promise<Result<RunView>>;
  /** Files of the workspace behind `after`, as they are after the last finished step. */
  files(address: RunAddress, after: string, limit: number): Promise<Result<RunFilePage>>;
  /** `not_found` for a path that is none of them. */
  file(address: RunAddress, path: string): Promise<Result<RunFile>>;
  /** A run inside of this one has ended: it need not wait until it looks by itself. */
  nudge(address: RunAddress): Promise<Result<null>>;
}
