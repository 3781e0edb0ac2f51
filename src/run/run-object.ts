import { DurableObject } from 'cloudflare:workers';
import { type Layer, spaceOf } from '../catalog/layers.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import { type Result, fail, ok } from '../core/result.ts';
import type { RunStart, RunView, StopReason } from '../invoke/run-contract.ts';
import type { RunFile, RunFilePage } from '../invoke/run-files.ts';
import { openFile, pageFiles } from '../sandbox/workspace-files.ts';
import { hasBoundsOf } from '../view/principal.ts';
import { checkStart, foldersOf } from './check-start.ts';
import { cutText } from '../core/cut-text.ts';
import { type RunDependencies, productionDependencies } from './dependencies.ts';
import { Journal, type StoredStart } from './journal.ts';
import { type Action, type Outcome, partialText, standingOf, statusOf } from './loop.ts';
import { runView } from './run-view.ts';
import { decideCall, makeCall, type ToolRun, withoutChanges } from '../tool/call-tool.ts';
import { TEMPORARY_ROOT, WORKSPACE_ROOT, Workspace, newDirectory, newFile } from '../sandbox/workspace.ts';
import type { MountedSkill } from '../sandbox/sandbox.ts';
import type { ToolCall, ToolResult } from '../model/message.ts';
import { WorkspaceStore } from '../sandbox/workspace-store.ts';

type Work = Exclude<Action, { kind: 'end' }>;
interface Finished {
  readonly outcome: Outcome;
  apply(): void;
}

/**
 * One forked run, named `organisation/id`: a journal in SQLite, one step an alarm. A step is noted before it works; what
 * it gave, its changes to the workspace and the alarm of the next step are one transaction, so that a run whose object
 * dies at any instant goes on where the journal ends, and nothing happens twice.
 */
export class RunObject extends DurableObject<Env> {
  /** Replaced by tests; a static is out of reach for callers over RPC. */
  static dependencies: (env: Env) => RunDependencies = productionDependencies;

  readonly #journal = new Journal(this.ctx.storage.sql);
  readonly #workspace = new WorkspaceStore(this.ctx.storage.sql);
  readonly #dependencies = RunObject.dependencies(this.env);
  #working: Promise<void> | null = null;

  /** Durable when it answers. `run_conflict`: this id belongs to another request; `run_refused`: not a valid start. */
  async start(input: RunStart): Promise<Result<RunView>> {
    const checked = checkStart(input);
    if (!checked.ok) return checked;
    const { files, ...start } = checked.value;
    if (!this.#journal.exists()) {
      this.ctx.storage.transactionSync(() => {
        this.#journal.create(start, this.#dependencies.now());
        this.#place(files);
        this.#wakeIn(this.#dependencies.pauseMilliseconds);
      });
    } else if (this.#journal.run().fingerprint !== start.fingerprint) {
      return fail({
        code: 'run_conflict',
        detail: `the run ${start.id} was started by a different request`,
        hint: 'use a new idempotency key for a new request',
      });
    }
    return ok(this.#view());
  }

  /** `run_unknown` where there is no run, or not one of a token bound to just these layers. Stores nothing. */
  async read(boundTo: readonly Layer[] | null): Promise<Result<RunView>> {
    const visible = this.#journal.exists() && hasBoundsOf(boundTo, this.#journal.start().boundTo);
    return visible ? ok(this.#view()) : fail({ code: 'run_unknown', detail: 'there is no such run' });
  }

  /** One page of the workspace's files. `run_unknown` as for `read`. */
  async listFiles(
    boundTo: readonly Layer[] | null,
    after: string,
    limit: number,
  ): Promise<Result<RunFilePage>> {
    const read = await this.read(boundTo);
    return read.ok ? ok(pageFiles(this.#workspace, after, limit)) : read;
  }

  /** One file of the workspace; `not_found` where there is none of this path. */
  async readFile(boundTo: readonly Layer[] | null, path: string): Promise<Result<RunFile>> {
    const read = await this.read(boundTo);
    if (!read.ok) return read;
    const file = openFile(this.#workspace, path);
    return file === null ? fail({ code: 'not_found', detail: 'the run has no such file' }) : ok(file);
  }

  /** Alarms come at least once; one that comes while a step works joins it. */
  override async alarm(): Promise<void> {
    this.#working ??= this.#wake().finally(() => {
      this.#working = null;
    });
    await this.#working;
  }

  async #wake(): Promise<void> {
    if (!this.#journal.exists()) return;
    const { endedAt } = this.#journal.run();
    if (endedAt === null) await this.#step();
    else await this.#expire(endedAt);
  }

  async #step(): Promise<void> {
    const read = this.#readJournal();
    if (read === null) return this.#end('internal_error', '');
    const { start, outcomes, next } = read;
    if (next.kind === 'end') return this.#end(next.stopReason, next.text);
    if (this.#remaining() <= 0) return this.#end('wall_time_limit', partialText(outcomes));
    const sequence = outcomes.length;
    if ((this.#journal.steps()[sequence]?.attempts ?? 0) >= RUN_LIMITS.stepAttempts) {
      return this.#end('internal_error', partialText(outcomes));
    }
    const attempt = this.ctx.storage.transactionSync(() => {
      this.#wakeIn(RUN_LIMITS.watchdogMilliseconds);
      return this.#journal.begin(sequence, next.kind, this.#dependencies.now());
    });
    const finished = await this.#work(next, start, sequence);
    if (finished === null) return this.#wakeIn(RUN_LIMITS.firstRetryMilliseconds * 2 ** (attempt - 1));
    this.ctx.storage.transactionSync(() => {
      if (!this.#journal.complete(sequence, attempt, finished.outcome, this.#dependencies.now())) return;
      finished.apply();
      this.#wakeIn(this.#dependencies.pauseMilliseconds);
    });
  }

  /** Where the run stands, or `null` where what is stored makes no sense: no later attempt will read it better. */
  #readJournal(): { start: StoredStart; outcomes: Outcome[]; next: Action } | null {
    try {
      const start = this.#journal.start();
      const outcomes = this.#journal.outcomes();
      return { start, outcomes, next: standingOf(start.prompt, outcomes).next };
    } catch (error) {
      this.#log('run_journal_unreadable', error);
      return null;
    }
  }

  /** What a step gave, or `null` where it failed for a reason that another attempt may not meet. */
  async #work(work: Work, start: StoredStart, sequence: number): Promise<Finished | null> {
    const { model } = this.#dependencies;
    try {
      if (work.kind === 'model') {
        const tools = await this.#dependencies.tools(start).specs();
        const request = { agent: start.skill.name, messages: work.messages, tools };
        const reply = await model(start).next(request);
        return { outcome: { kind: 'model', reply }, apply: () => undefined };
      }
      const { result, apply } = await this.#call(work.call, start, sequence);
      return { outcome: { kind: 'tool', result }, apply };
    } catch (error) {
      this.#log('run_step_failed', error);
      return null;
    }
  }

  async #call(call: ToolCall, start: StoredStart, step: number): Promise<ToolRun> {
    const { blobs, gate, tools } = this.#dependencies;
    const decided = await decideCall(call, tools(start), gate(start));
    if (decided.decision === 'refused') return withoutChanges(decided.result);
    if (decided.decision === 'ask') return withoutChanges(notYet(decided.reason));
    return makeCall(decided.call, {
      store: this.#workspace,
      skill: mountOf(start),
      blobs,
      gate: gate(start),
      step,
      remainingMilliseconds: this.#remaining(),
      signal: new AbortController().signal,
    });
  }

  #end(stopReason: StopReason, text: string): void {
    const now = this.#dependencies.now();
    this.ctx.storage.transactionSync(() => {
      this.#journal.end(statusOf(stopReason), stopReason, cutText(text, RUN_LIMITS.resultCharacters), now);
      this.#wakeIn(RUN_LIMITS.retentionMilliseconds);
    });
  }

  async #expire(endedAt: number): Promise<void> {
    const left = endedAt + RUN_LIMITS.retentionMilliseconds - this.#dependencies.now();
    if (left > 0) return this.#wakeIn(left);
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  #place(files: RunStart['files']): void {
    const workspace = new Workspace(this.#workspace);
    const now = this.#dependencies.now();
    const folders = files
      .flatMap((file) => foldersOf(file.path))
      .map((folder) => `${WORKSPACE_ROOT}/${folder}`);
    for (const folder of [WORKSPACE_ROOT, TEMPORARY_ROOT, ...folders])
      workspace.put(folder, newDirectory(now));
    for (const { path, content } of files)
      workspace.put(`${WORKSPACE_ROOT}/${path}`, newFile(content, 0o644, now));
    workspace.apply();
  }

  #log(event: string, error: unknown): void {
    logFault(event, {
      run: this.ctx.id.name ?? '',
      reason: error instanceof Error ? error.message : String(error),
    });
  }

  #remaining(): number {
    return this.#journal.run().createdAt + RUN_LIMITS.wallMilliseconds - this.#dependencies.now();
  }

  /** Alarms are rows of the same database: set in a transaction, they commit with it. */
  #wakeIn(milliseconds: number): void {
    this.ctx.waitUntil(this.ctx.storage.setAlarm(Date.now() + milliseconds));
  }

  #view(): RunView {
    return runView(this.#journal, this.#workspace);
  }
}

function mountOf({ skill, organisation }: StoredStart): MountedSkill {
  return { directory: skill.directory, files: skill.files, space: spaceOf(skill.layer, organisation) };
}

function notYet(reason: string): ToolResult {
  const stderr = `${reason} (a run cannot wait for approval yet)\n`;
  return { stdout: '', stderr, exitCode: 126, refused: true };
}
