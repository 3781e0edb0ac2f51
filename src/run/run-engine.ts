import type { AuditActor } from '../audit/audit-act.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import type { RunEventBody } from '../invoke/runs/run-event.ts';
import type { RunView, ShownStatus, StopReason } from '../invoke/runs/run-contract.ts';
import { afterEnd, tellOrganisation, tellParent } from './after-end.ts';
import { childAnswer } from './child-answer.ts';
import type { RunDependencies } from './dependencies.ts';
import type { WaitAnswer } from './outcome.ts';
import { relatedRun } from './related-run.ts';
import { runEnded } from './run-ended.ts';
import type { RunReading, RunRecord } from './run-record.ts';
import { statusBefore } from './run-status.ts';
import type { Action } from './standing.ts';
import type { StoredStart } from './stored-start.ts';
import { StepWork, type Work } from './work.ts';

/** What belongs to the answer of a wait, beside it. */
interface AnswerFacts {
  readonly by?: AuditActor | null;
  /** Milliseconds of waiting; else since it began. */
  readonly waited?: number;
  /** Its changes, for the transaction that keeps it. */
  apply?(): void;
}

type Wait = Extract<Action, { kind: 'wait' }>;

/**
 * Carries one run on, a step at a time: a run whose object dies at any instant goes on where the journal ends, and nothing
 * happens twice.
 */
export class RunEngine {
  readonly #name: string;
  readonly #record: RunRecord;
  readonly #dependencies: RunDependencies;
  #abort = new AbortController();
  #work: StepWork | null = null;
  /** Until then (Unix milliseconds) the alarm that is at work begins steps. */
  #last = 0;
  /** What the run that this one waits for said of itself when it was last looked at. */
  #below: ShownStatus | null = null;

  constructor(name: string, record: RunRecord, dependencies: RunDependencies) {
    this.#name = name;
    this.#record = record;
    this.#dependencies = dependencies;
  }

  /** What an alarm is for: the next steps of a run, or the end of what is stored of it. */
  async wake(): Promise<void> {
    const record = this.#record;
    if (!record.journal.exists()) return;
    await this.#tellAnswered();
    // One that has ended by then need not be told of before.
    await this.#steps();
    if (!record.journal.exists()) return;
    if (record.hasEnded()) await afterEnd(record, this.#dependencies, this.#log);
    else await tellOrganisation(record, this.#dependencies, this.#log, this.#status());
  }

  /** Somebody was waited for, and answered: what comes now may take its time, and lists say meanwhile that it runs. */
  async #tellAnswered(): Promise<void> {
    const record = this.#record;
    if (record.journal.run().told !== 'requires_action' || record.hasEnded()) return;
    if (this.#tryToRead()?.next.kind === 'wait') return;
    await tellOrganisation(record, this.#dependencies, this.#log);
    await tellParent(record, this.#dependencies, this.#log);
  }

  #status(): ShownStatus {
    const next = this.#tryToRead()?.next;
    return next === undefined ? 'running' : statusBefore(next, this.#below);
  }

  /** Ends the run, whatever it does at the moment: nothing of that is kept. True: what follows an end can be done at once. */
  end(stopReason: StopReason, text: string, by: AuditActor | null = null): boolean {
    this.#record.end(stopReason, text, by);
    this.#abort.abort(new Error('the run has ended'));
    const read = this.#tryToRead();
    if (read !== null) {
      const { start, standing } = read;
      const event = runEnded(start, standing.usage.view(), this.#record.journal.run(), stopReason);
      this.#dependencies.events.emit(start, event);
    }
    return true;
  }

  /** Ends the wait that is open. */
  answer(step: number, answer: WaitAnswer, { by = null, waited, apply }: AnswerFacts = {}): boolean {
    const record = this.#record;
    const { start, next } = record.read();
    const open = record.journal.openStep();
    if (open?.sequence !== step || next.kind !== 'wait') return false;
    const at = this.#dependencies.now();
    const { call, pending } = next;
    const outcome = { kind: 'wait', answer } as const;
    return record.complete(step, open.attempts, 'wait', outcome, {
      apply: () => {
        record.journal.waited(waited ?? at - open.startedAt);
        if (pending.for === 'approval' && answer.for === 'approval')
          record.audit.decided(start, call, pending, answer, { step, by, at });
        apply?.();
      },
    });
  }

  /** Steps of one alarm, which has to end long before its time is up. */
  async #steps(): Promise<void> {
    const record = this.#record;
    this.#last = Date.now() + RUN_LIMITS.alarmMilliseconds;
    record.goesOn = this.#dependencies.pauseMilliseconds === 0;
    try {
      while (!record.hasEnded()) {
        const ready = await this.#step();
        if (!ready || !record.goesOn) return;
        if (record.hasBegun || Date.now() < this.#last) continue;
        record.wakeSoon();
        return;
      }
    } finally {
      record.goesOn = false;
    }
  }

  /** True where the next step can begin at once. */
  async #step(): Promise<boolean> {
    const read = this.#tryToRead();
    if (read === null) return this.end('internal_error', '');
    const { start, standing, next } = read;
    if (next.kind === 'end') return this.end(next.stopReason, next.text);
    if (next.kind === 'wait') return this.#wait(next, read);
    const record = this.#record;
    const begun = record.takeBegun();
    if (begun !== null) return this.#do(this.#workOf(start), begun.action, read, begun.attempt);
    if (record.remaining(start) <= 0) return this.end('wall_time_limit', standing.partialText);
    const open = record.journal.openStep();
    if ((open?.attempts ?? 0) >= RUN_LIMITS.stepAttempts)
      return this.end('internal_error', standing.partialText);
    const work = this.#workOf(start);
    if (open !== undefined && !(await work.isRepeatable(next)))
      return record.complete(standing.steps, open.attempts, next.kind, work.interrupted(next));
    return this.#do(work, next, read, record.begin(standing.steps, next, RUN_LIMITS.watchdogMilliseconds));
  }

  /** The same for all steps of a run; an object whose run was deleted can be given another one. */
  #workOf(start: StoredStart): StepWork {
    if (this.#work?.start !== start)
      this.#work = new StepWork(start, this.#dependencies, this.#record.workspace);
    return this.#work;
  }

  async #do(
    work: StepWork,
    action: Work,
    { start, standing }: RunReading,
    attempt: number,
  ): Promise<boolean> {
    const record = this.#record;
    const step = standing.steps;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const milliseconds = Math.max(1, record.remaining(start));
    try {
      const { outcome, events, denied, apply } = await work.do(action, {
        step,
        remainingMilliseconds: milliseconds,
        left: { ...standing.usage.left(start.limits), milliseconds },
        signal,
        tell: (said: readonly RunEventBody[]) => record.tell(step, attempt, said),
      });
      return record.complete(step, attempt, action.kind, outcome, {
        events,
        apply: () => {
          apply();
          if (denied !== null && 'act' in denied) record.audit.deniedSkill(denied);
          else if (denied !== null) record.audit.denied(start, denied, this.#dependencies.now());
        },
        goesOn: record.goesOn && Date.now() < this.#last,
      });
    } catch (error) {
      if (signal.aborted) return false;
      if (record.remaining(start) <= 0) return this.end('wall_time_limit', standing.partialText);
      this.#log('run_step_failed', error);
      if (!(await work.isRepeatable(action)))
        return record.complete(step, attempt, action.kind, work.interrupted(action));
      record.wakeIn(RUN_LIMITS.firstRetryMilliseconds * 2 ** (attempt - 1));
      return false;
    }
  }

  /** Waits are begun once, and end with an answer or at their time. */
  async #wait(wait: Wait, read: RunReading): Promise<boolean> {
    const { start, standing } = read;
    const step = standing.steps;
    if (wait.pending.for === 'child') return this.#waitForChild(wait, wait.pending.child, read);
    const open = this.#record.journal.openStep();
    if (open === undefined) {
      this.#record.begin(step, wait, start.waitMilliseconds);
      await tellParent(this.#record, this.#dependencies, this.#log);
      return false;
    }
    const left = open.startedAt + start.waitMilliseconds - this.#dependencies.now();
    if (left <= 0) return this.answer(step, unanswered(wait));
    this.#record.wakeIn(left);
    return false;
  }

  /** A run inside of this one tells of its end; should that be lost, a look now and then does as well. */
  async #waitForChild(wait: Wait, child: string, { start, standing }: RunReading): Promise<boolean> {
    const record = this.#record;
    const step = standing.steps;
    if (record.journal.openStep() === undefined) record.begin(step, wait, RUN_LIMITS.childPollMilliseconds);
    const address = relatedRun(start, child);
    const { runs } = this.#dependencies;
    const below = await runs.read(address);
    this.#below = below.ok ? below.value.status : null;
    const { workspace: store } = record;
    const answer = await childAnswer(below, { start, store, blobs: this.#dependencies.blobs, step });
    if (record.hasEnded()) return false;
    // Time in which somebody below is waited for is no work here either.
    const waited = below.ok ? below.value.waitedMilliseconds : 0;
    if (answer !== null) return this.answer(step, answer.answer, { waited, apply: answer.apply });
    if (below.ok) await this.#tellBelow(step, below.value);
    const left = record.remaining(start) + waited;
    if (left > 0) {
      record.wakeIn(Math.min(left, RUN_LIMITS.childPollMilliseconds));
      return false;
    }
    await runs.cancel(address, null);
    return !record.hasEnded() && this.end('wall_time_limit', standing.partialText);
  }

  /** What a run below waits for, it waits for here: whoever watches this run, or waits for it, is told. */
  async #tellBelow(step: number, { requiredActions }: RunView): Promise<void> {
    if (this.#record.waitsBelow(step, requiredActions))
      await tellParent(this.#record, this.#dependencies, this.#log);
  }

  #tryToRead(): RunReading | null {
    try {
      return this.#record.read();
    } catch (error) {
      this.#log('run_journal_unreadable', error);
      this.#record.forget();
      return null;
    }
  }

  readonly #log = (event: string, error: unknown): void => {
    logFault(event, { run: this.#name, reason: error instanceof Error ? error.message : String(error) });
  };
}

function unanswered({ pending }: Wait): WaitAnswer {
  if (pending.for === 'approval') return { for: 'approval', approved: false, by: null };
  const stderr = 'not answered: the host did not make this call in time.\n';
  return { for: 'tool_call', result: { stdout: '', stderr, exitCode: 124, refused: false } };
}
