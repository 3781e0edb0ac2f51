import type { AuditReport } from '../audit/audit-act.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { RunEventBody } from '../invoke/runs/run-event.ts';
import { type ToolCall, type ToolResult, type ToolSpec, unmade } from '../model/message.ts';
import { usesSkills } from '../invoke/runs/run-tools.ts';
import type { ModelRequest, ModelWatch } from '../model/model.ts';
import type { WorkspaceStore } from '../sandbox/workspace-store.ts';
import { decideCall, makeCall } from '../tool/call-tool.ts';
import type { ToolGate } from '../tool/tool-gate.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { RunLimits } from '../view/settings/run-limits.ts';
import { boundedReply } from './bounded-reply.ts';
import type { Approval } from './call-progress.ts';
import { clientInputProblem, decideClientCall, isClientTool } from './client-tools.ts';
import type { RunDependencies } from './dependencies.ts';
import { MessageTeller } from './message-teller.ts';
import { mountOf } from './mount-of.ts';
import { SKILL_TOOL, skillSpec, skillSubject, useNestedSkill } from './nested-skills.ts';
import type { Outcome } from './outcome.ts';
import { areRepeatable, fireRunHooks, interruptedHooks } from './run-hooks.ts';
import type { Action } from './standing.ts';
import type { StoredStart } from './stored-start.ts';

/** What a step does; waits do nothing, and an end is no step. */
export type Work = Exclude<Action, { kind: 'end' | 'wait' }>;

export interface Finished {
  readonly outcome: Outcome;
  /** What is still to be told of it. */
  readonly events: readonly RunEventBody[];
  /** The call that rules refused, or the report of the skill that they denied: an audit log is told. */
  readonly denied: ToolCall | AuditReport | null;
  /** Its changes, for the transaction that completes the step. */
  apply(): void;
}

export interface WorkContext {
  readonly step: number;
  readonly remainingMilliseconds: number;
  /** What the run may still use. */
  readonly left: Pick<RunLimits, 'tokens' | 'cost' | 'milliseconds'>;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Makes events durable while the step works. */
  tell(events: readonly RunEventBody[]): void;
}

/** Does what the steps of one run do. It keeps nothing: what a step gave is in what it returns. */
export class StepWork {
  readonly start: StoredStart;
  readonly #dependencies: RunDependencies;
  readonly #store: WorkspaceStore;
  readonly #tools: Toolbox;
  #knownGate: ToolGate | null = null;

  constructor(start: StoredStart, dependencies: RunDependencies, store: WorkspaceStore) {
    this.start = start;
    this.#dependencies = dependencies;
    this.#store = store;
    this.#tools = dependencies.tools(start);
  }

  /** Rules are read when the first call asks for them. */
  get #gate(): ToolGate {
    this.#knownGate ??= this.#dependencies.gate(this.start);
    return this.#knownGate;
  }

  /** Whether work that was interrupted, nobody knows where, is begun again. Anything else is told to the model instead. */
  async isRepeatable(work: Work): Promise<boolean> {
    if (work.kind === 'hook') return areRepeatable(this.start, work);
    if (work.kind !== 'tool') return true;
    const tool = await this.#tools.find(work.call.tool);
    // A tool that a server had when the call was begun may come back before it is made.
    return tool?.idempotent ?? !work.call.tool.startsWith('mcp__');
  }

  /** Rejects only where another attempt may succeed. */
  async do(work: Work, context: WorkContext): Promise<Finished> {
    switch (work.kind) {
      case 'model':
      case 'compaction':
        return this.#model(work, context);
      case 'tool':
        return this.#tool(work, context);
      case 'hook':
        return unchanged(
          await fireRunHooks(this.start, work, context.remainingMilliseconds, this.#dependencies.hooks),
        );
    }
  }

  async #model(
    { kind, messages }: Extract<Work, { kind: 'model' | 'compaction' }>,
    { step, signal, remainingMilliseconds, tell }: WorkContext,
  ): Promise<Finished> {
    const { agent, clientTools } = this.start;
    const engine = await this.#dependencies.model(this.start);
    const tools = [...(await this.#toolSpecs()), ...clientTools];
    const teller = new MessageTeller(step, tell);
    const milliseconds = Math.min(remainingMilliseconds, RUN_LIMITS.modelMilliseconds);
    // Not `AbortSignal.timeout`: a timer that nobody ends keeps the object in memory.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), milliseconds);
    const request: ModelRequest = {
      agent: agent.name,
      ...(agent.system !== null && { system: agent.system }),
      messages,
      tools,
      mayCall: kind === 'model',
      effort: agent.effort,
    };
    const watch: ModelWatch = {
      signal: AbortSignal.any([signal, late.signal]),
      onDelta: (delta) => teller.delta(delta),
      onTry: (failed) => teller.failed(failed),
    };
    try {
      const reply = await engine.next(request, watch);
      return { ...unchanged({ kind, reply: boundedReply(reply) }), events: teller.end() };
    } catch (error) {
      // Where the time of the whole run is up, that is what ends it.
      if (!late.signal.aborted || milliseconds < RUN_LIMITS.modelMilliseconds) throw error;
      const text = `There was no answer within ${Math.round(milliseconds / 1000)} seconds.`;
      return unchanged({ kind, reply: { kind: 'failed', stopReason: 'model_timed_out', text } });
    } finally {
      clearTimeout(timer);
      teller.end();
    }
  }

  async #tool({ call, approval }: Extract<Work, { kind: 'tool' }>, context: WorkContext): Promise<Finished> {
    if (isClientTool(this.start, call)) return this.#clientTool(call, approval);
    if (call.tool === SKILL_TOOL) return this.#skill(call, approval, context);
    const decided = await decideCall(call, this.#tools, this.#gate);
    if (decided.decision === 'refused') return withResult(decided.result, call);
    if (decided.decision === 'ask' && approval === null)
      return unchanged({ kind: 'pending', pending: { for: 'approval', reason: decided.reason } });
    const { remainingMilliseconds, signal } = context;
    const { result, apply } = await makeCall(decided.call, {
      store: this.#store,
      skill: mountOf(this.start),
      blobs: this.#dependencies.blobs,
      gate: this.#gate,
      step: context.step,
      remainingMilliseconds,
      signal,
    });
    return { outcome: { kind: 'tool', result }, events: [], denied: null, apply };
  }

  async #toolSpecs(): Promise<ToolSpec[]> {
    const specs = await this.#tools.specs();
    return usesSkills(this.start.tools) ? [...specs, skillSpec()] : specs;
  }

  /** Which skill may be used is decided on like anywhere; that skills are used at all is the gate's to say. */
  async #skill(call: ToolCall, approval: Approval | null, { step, left }: WorkContext): Promise<Finished> {
    const { decision, reason } = this.#gate(SKILL_TOOL, skillSubject(call) ?? '');
    if (decision === 'deny') return withResult(unmade(reason), call);
    const used = await useNestedSkill(this.#dependencies.nested, this.start, { call, step, approval, left });
    return { ...unchanged(used.outcome), denied: used.denied };
  }

  #clientTool(call: ToolCall, approval: Approval | null): Finished {
    const problem = clientInputProblem(this.start, call);
    if (problem !== null)
      return withResult(unmade(`${call.tool} cannot take this input: ${problem}`, 2), call);
    const { decision, reason } = decideClientCall(this.start, call);
    if (decision === 'deny') return withResult(unmade(reason), call);
    return decision === 'ask' && approval === null
      ? unchanged({ kind: 'pending', pending: { for: 'approval', reason } })
      : unchanged({ kind: 'pending', pending: { for: 'tool_call' } });
  }

  /** What stands for a step that was begun, and is not begun again. */
  interrupted(work: Work): Outcome {
    return work.kind === 'hook' ? interruptedHooks(this.start, work) : INTERRUPTED_CALL;
  }
}

const INTERRUPTED_CALL: Outcome = {
  kind: 'tool',
  result: {
    stdout: '',
    stderr:
      'interrupted: the call was begun, and nobody knows how far it came. It was not made again; see what it did before you repeat it.\n',
    exitCode: 130,
    refused: false,
  },
};

export function unchanged(outcome: Outcome): Finished {
  return { outcome, events: [], denied: null, apply: () => undefined };
}

/** Of a call that was not made. */
function withResult(result: ToolResult, call: ToolCall): Finished {
  return { ...unchanged({ kind: 'tool', result }), denied: result.refused ? call : null };
}
