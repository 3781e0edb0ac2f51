import { DurableObject } from 'cloudflare:workers';
import type { AuditActor } from '../audit/audit-act.ts';
import type { Layer } from '../catalog/layers.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import { type Result, fail, ok } from '../core/result.ts';
import type { ActionAnswer, RunAddress, RunStart, RunView } from '../invoke/runs/run-contract.ts';
import type { RunEventPage } from '../invoke/runs/run-event.ts';
import type { RunFile, RunFilePage } from '../invoke/runs/run-files.ts';
import { openFile, pageFiles } from '../sandbox/workspace-files.ts';
import { Workspace, newDirectory, newFile, TEMPORARY_ROOT, WORKSPACE_ROOT } from '../sandbox/workspace.ts';
import { hasBoundsOf } from '../view/principal.ts';
import { checkStart, foldersOf } from './check-start.ts';
import { type RunDependencies, productionDependencies } from './dependencies.ts';
import { readAnswer, sameAnswer } from './action-answer.ts';
import { relatedRun } from './related-run.ts';
import { stepOf } from './required-action.ts';
import { awaitedRun } from './run-below.ts';
import { RunEngine } from './run-engine.ts';
import { RunRecord } from './run-record.ts';
import { runView } from './run-view.ts';

/** One forked run, named `organisation/id`: what callers can ask of it, and its alarms. */
export class RunObject extends DurableObject<Env> {
  /** Replaced by tests; a static is out of reach for callers over RPC. */
  static dependencies: (env: Env) => RunDependencies = productionDependencies;

  readonly #dependencies = RunObject.dependencies(this.env);
  readonly #record = new RunRecord(this.ctx, this.#dependencies);
  readonly #engine = new RunEngine(this.ctx.id.name ?? '', this.#record, this.#dependencies);
  #working: Promise<void> | null = null;

  /** Durable when it answers. `run_conflict`: this id belongs to another request; `run_refused`: not a valid start. */
  async start(input: unknown): Promise<Result<RunView>> {
    const checked = checkStart(input);
    if (!checked.ok) return checked;
    const { files, ...start } = checked.value;
    const { journal } = this.#record;
    if (!journal.exists()) {
      this.#record.create(start, () => this.#place(files));
      if (this.#dependencies.pauseMilliseconds === 0) this.ctx.waitUntil(this.#begin());
    } else if (journal.run().fingerprint !== start.fingerprint) {
      return fail({
        code: 'run_conflict',
        detail: `the run ${start.id} was started by a different request`,
        hint: 'use a new idempotency key for a new request',
      });
    }
    return ok(await this.#view());
  }

  async read(boundTo: readonly Layer[] | null, milliseconds: number): Promise<Result<RunView>> {
    const end = Date.now() + milliseconds;
    let held = true;
    while (this.#isVisible(boundTo)) {
      const late = !held || Date.now() >= end;
      if (late || this.#mayBeSettled()) {
        const view = await this.#view();
        if (late || view.status !== 'running') return ok(view);
      }
      held = await this.#record.patient.change(end - Date.now());
    }
    return unknownRun();
  }

  async events(
    boundTo: readonly Layer[] | null,
    after: number,
    limit: number,
    milliseconds: number,
  ): Promise<Result<RunEventPage>> {
    if (!this.#isVisible(boundTo)) return unknownRun();
    const { events, journal, watchers } = this.#record;
    if (events.last <= after && journal.run().endedAt === null && (await watchers.change(milliseconds)))
      // What is told in one go is one page.
      await new Promise((resolve) => setTimeout(resolve, 0));
    if (!journal.exists()) return unknownRun();
    const page = events.read(after, Math.min(limit, RUN_LIMITS.eventPage));
    const next = page.at(-1)?.sequence ?? after;
    return ok({ events: page, next, complete: journal.run().endedAt !== null && next >= events.last });
  }

  /** What works at the moment is ended too; nothing of it is kept. */
  async cancel(boundTo: readonly Layer[] | null, by: AuditActor | null): Promise<Result<RunView>> {
    if (!this.#isVisible(boundTo)) return unknownRun();
    if (!this.#record.hasEnded()) {
      const { standing } = this.#record.read();
      const below = this.#runBelow();
      this.#engine.end('cancelled', standing.partialText, by);
      // The step that works does not notice what follows an end.
      this.#record.wakeSoon();
      if (below !== null) await this.#dependencies.runs.cancel(below, by);
    }
    return ok(await this.#view());
  }

  async answer(boundTo: readonly Layer[] | null, given: ActionAnswer): Promise<Result<RunView>> {
    if (!this.#isVisible(boundTo)) return unknownRun();
    const { start, next } = this.#record.read();
    const { journal } = this.#record;
    const place = stepOf(given.id);
    if (place === null) return notWaiting();
    const { step, below } = place;
    if (below !== null) return this.#answerBelow(step, { ...given, id: below });
    const isOpen = () => !journal.hasEnded() && journal.openStep()?.sequence === step;
    if (isOpen() && next.kind === 'wait' && next.pending.for === given.kind) {
      const { workspace: store } = this.#record;
      const { blobs } = this.#dependencies;
      const { answer, apply } = await readAnswer(given, { start, store, blobs, step });
      const by = given.kind === 'approval' ? given.by : null;
      // Somebody may have been faster.
      if (isOpen() && this.#engine.answer(step, answer, { by, apply })) {
        this.#record.wakeSoon();
        return ok(await this.#view());
      }
    }
    const before = journal.exists() ? journal.outcomes()[step] : undefined;
    if (before?.kind === 'wait' && sameAnswer(before.answer, given)) return ok(await this.#view());
    return notWaiting();
  }

  /** An answer for the run below that this step waits for, or did. */
  async #answerBelow(step: number, given: ActionAnswer): Promise<Result<RunView>> {
    const begun = this.#record.journal.outcomes()[step - 1];
    if (begun?.kind !== 'pending' || begun.pending.for !== 'child') return notWaiting();
    const address = relatedRun(this.#record.start(), begun.pending.child);
    const answered = await this.#dependencies.runs.answer(address, given);
    if (answered.ok) return this.#record.journal.exists() ? ok(await this.#view()) : unknownRun();
    return answered.error.code === 'run_unknown' ? notWaiting() : answered;
  }

  async nudge(boundTo: readonly Layer[] | null): Promise<Result<null>> {
    if (!this.#isVisible(boundTo)) return unknownRun();
    if (!this.#record.hasEnded() && this.#record.journal.openStep()?.kind === 'wait') {
      this.#record.wakeSoon();
      this.#record.patient.changed();
    }
    return ok(null);
  }

  /** One page of the workspace's files. */
  async listFiles(
    boundTo: readonly Layer[] | null,
    after: string,
    limit: number,
  ): Promise<Result<RunFilePage>> {
    if (!this.#isVisible(boundTo)) return unknownRun();
    return ok(pageFiles(this.#record.workspace, after, limit));
  }

  /** One file of the workspace; `not_found` where there is none of this path. */
  async readFile(boundTo: readonly Layer[] | null, path: string): Promise<Result<RunFile>> {
    if (!this.#isVisible(boundTo)) return unknownRun();
    const file = openFile(this.#record.workspace, path);
    return file === null ? fail({ code: 'not_found', detail: 'the run has no such file' }) : ok(file);
  }

  /** Alarms come at least once; one that comes while a step works joins it, and keeps the object in memory. */
  override async alarm(): Promise<void> {
    this.#record.woken();
    if (this.#working !== null) this.#record.watch(RUN_LIMITS.watchdogMilliseconds);
    await this.#work();
  }

  /** The first steps follow an accepted run at once. Should they fail, or the object die, its alarm is set. */
  async #begin(): Promise<void> {
    try {
      await this.ctx.storage.sync();
      // The answer to whoever started it waited for the same write, and goes first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      await this.#work();
    } catch (error) {
      logFault('run_begin_failed', { run: this.ctx.id.name ?? '', reason: String(error) });
    }
  }

  async #work(): Promise<void> {
    this.#working ??= this.#engine.wake().finally(() => {
      this.#working = null;
    });
    await this.#working;
  }

  /** It has ended, or waits for somebody: a run below may do so as well. */
  #mayBeSettled(): boolean {
    return this.#record.hasEnded() || this.#record.journal.openStep()?.kind === 'wait';
  }

  /** As it is, and where it waits for a run below, with what that one waits for. */
  async #view(): Promise<RunView> {
    const address = this.#runBelow();
    const below = address && (await this.#dependencies.runs.read(address));
    return runView(this.#record, below?.ok ? below.value : null, this.#dependencies.now());
  }

  /** The run that this one waits for. */
  #runBelow(): RunAddress | null {
    return this.#record.hasEnded() ? null : awaitedRun(this.#record.read());
  }

  #isVisible(boundTo: readonly Layer[] | null): boolean {
    return this.#record.journal.exists() && hasBoundsOf(boundTo, this.#record.start().boundTo);
  }

  #place(files: RunStart['files']): void {
    const workspace = new Workspace(this.#record.workspace);
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
}

function unknownRun() {
  return fail({ code: 'run_unknown' as const, detail: 'there is no such run' });
}

function notWaiting() {
  return fail({
    code: 'run_not_waiting' as const,
    detail: 'the run does not wait for this, or not any more',
    hint: 'GET the run: requiredActions has what it waits for.',
  });
}
