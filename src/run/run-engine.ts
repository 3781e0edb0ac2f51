import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import type { RunEventBody } from '../invoke/run-event.ts';
import type { RunStatus, StopReason } from '../invoke/run-contract.ts';
import { WorkspaceStore } from '../sandbox/workspace-store.ts';
import { runEnded } from './run-ended.ts';
import type { RunDependencies } from './dependencies.ts';
import { EventTable } from './event-table.ts';
import { Journal } from './journal.ts';
import type { Outcome, WaitAnswer } from './outcome.ts';
import { type Action, Standing } from './standing.ts';
import { stepDone, stepStarted, waitBegun } from './step-events.ts';
import type { StoredStart } from './stored-start.ts';
import { Watchers } from './watchers.ts';
import { childAnswer } from './child-answer.ts';
import { StepWork, type Work } from './work.ts';

type Wait = Extract<Action, { kind: 'wait' }>;

/** Where a run stands, as it is stored. */
interface Read {
  readonly start: StoredStart;
  readonly standing: Standing;
  readonly next: Action;
}

/**
 * Carries one run on, a step at a time. A step is noted before it works; what it gave, its changes to the workspace, its
 * events and the alarm of the next step are one transaction, so that a run whose object dies at any instant goes on where
 * the journal ends, and nothing happens twice.
 */
export class RunEngine {
  readonly journal: Journal;
  readonly workspace: WorkspaceStore;
  readonly events: EventTable;
  readonly watchers = new Watchers();
  readonly #state: DurableObjectState;
  readonly #dependencies: RunDependencies;
  #known: { readonly start: StoredStart; readonly standing: Standing } | null = null;
  #abort = new AbortController();

  constructor(state: DurableObjectState, dependencies: RunDependencies) {
    this.#state = state;
    this.#dependencies = dependencies;
    this.journal = new Journal(state.storage.sql);
    this.workspace = new WorkspaceStore(state.storage.sql);
    this.events = new EventTable(state.storage.sql);
  }

  /** Makes a run durable. `place` writes its files. */
  begin(start: StoredStart, place: () => void): void {
    const now = this.#dependencies.now();
    this.#transaction(() => {
      this.journal.create(start, now);
      place();
      this.events.append([{ type: 'run.started' }], now);
      this.#wakeIn(this.#dependencies.pauseMilliseconds);
    });
  }

  /** What an alarm is for: the next steps of a run, or the end of what is stored of it. */
  async wake(): Promise<void> {
    if (!this.journal.exists()) return;
    const telling = this.#tellList();
    const { pauseMilliseconds } = this.#dependencies;
    const last = pauseMilliseconds > 0 ? 0 : Date.now() + RUN_LIMITS.alarmMilliseconds;
    let goesOn = true;
    while (goesOn && this.journal.run().endedAt === null) goesOn = (await this.#step()) && Date.now() < last;
    await telling;
    if (goesOn && this.journal.exists()) await this.#afterEnd();
  }

  /** Throws where what is stored makes no sense: no later attempt will read it better. */
  start(): StoredStart {
    return this.#known?.start ?? this.journal.start();
  }

  /** Throws as `start` does. */
  read(): Read {
    this.#known ??= knownOf(this.journal.start());
    const { start, standing } = this.#known;
    for (const outcome of this.journal.outcomes(standing.steps)) standing.apply(outcome);
    return { start, standing, next: standing.next() };
  }

  /** True where the next step can begin at once. */
  async #step(): Promise<boolean> {
    const read = this.#tryToRead();
    if (read === null) return this.end('internal_error', '');
    const { start, standing, next } = read;
    if (next.kind === 'end') return this.end(next.stopReason, next.text);
    if (next.kind === 'wait') return this.#wait(next, read);
    if (this.#remaining(start) <= 0) return this.end('wall_time_limit', standing.partialText);
    const open = this.journal.openStep();
    if ((open?.attempts ?? 0) >= RUN_LIMITS.stepAttempts)
      return this.end('internal_error', standing.partialText);
    const work = new StepWork(start, this.#dependencies, this.workspace);
    if (open !== undefined && !(await work.isRepeatable(next)))
      return this.complete(standing.steps, open.attempts, next.kind, work.interrupted(next));
    return this.#work(work, next, read);
  }

  async #work(work: StepWork, action: Work, { start, standing }: Read): Promise<boolean> {
    const step = standing.steps;
    const attempt = this.#begin(step, action, RUN_LIMITS.watchdogMilliseconds);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const remainingMilliseconds = this.#remaining(start);
    const tell = (events: readonly RunEventBody[]) => this.#tell(step, attempt, events);
    try {
      const { outcome, events, apply } = await work.do(action, {
        step,
        remainingMilliseconds,
        left: { ...standing.usage.left(start.limits), milliseconds: Math.max(1, remainingMilliseconds) },
        signal,
        tell,
      });
      return this.complete(step, attempt, action.kind, outcome, events, apply);
    } catch (error) {
      if (signal.aborted) return false;
      this.#log('run_step_failed', error);
      if (!(await work.isRepeatable(action)))
        return this.complete(step, attempt, action.kind, work.interrupted(action));
      this.#wakeIn(RUN_LIMITS.firstRetryMilliseconds * 2 ** (attempt - 1));
      return false;
    }
  }

  /** Waits are begun once, and end with an answer or at their time. */
  async #wait(wait: Wait, { start, standing }: Read): Promise<boolean> {
    const step = standing.steps;
    const open = this.journal.openStep();
    if (wait.pending.for === 'child')
      return this.#waitForChild(wait, wait.pending.child, { start, standing });
    if (open === undefined) {
      this.#begin(step, wait, start.waitMilliseconds);
      return false;
    }
    const left = open.startedAt + start.waitMilliseconds - this.#dependencies.now();
    if (left > 0) {
      this.#wakeIn(left);
      return false;
    }
    return this.answer(step, unanswered(wait));
  }

  /** Somebody tells when the run inside has ended; should that be lost, a look now and then does as well. */
  async #waitForChild(wait: Wait, child: string, { start, standing }: Omit<Read, 'next'>): Promise<boolean> {
    const step = standing.steps;
    if (this.journal.openStep() === undefined) this.#begin(step, wait, RUN_LIMITS.childPollMilliseconds);
    const left = this.#remaining(start);
    const address = { organisation: start.organisation, id: child, boundTo: null };
    const { runs } = this.#dependencies;
    const read = await runs.read(address);
    if (!this.#isOpen(step)) return false;
    const answer = childAnswer(read);
    if (answer !== null) return this.answer(step, answer);
    if (left > 0) {
      this.#wakeIn(Math.min(left, RUN_LIMITS.childPollMilliseconds));
      return false;
    }
    await runs.cancel(address);
    return this.#isOpen(step) && this.end('wall_time_limit', standing.partialText);
  }

  /** A run inside of this one says that it has ended. */
  nudge(): void {
    if (this.journal.run().endedAt === null && this.journal.openStep()?.kind === 'wait')
      this.#wakeIn(this.#dependencies.pauseMilliseconds);
  }

  #isOpen(step: number): boolean {
    return this.journal.run().endedAt === null && this.journal.openStep()?.sequence === step;
  }

  /** Ends the wait that is open. */
  answer(step: number, answer: WaitAnswer): boolean {
    const open = this.journal.openStep();
    if (open === undefined || open.sequence !== step) return false;
    const waited = answer.for === 'child' ? 0 : this.#dependencies.now() - open.startedAt;
    return this.complete(step, open.attempts, 'wait', { kind: 'wait', answer }, [], () =>
      this.journal.waited(waited),
    );
  }

  #begin(step: number, action: Exclude<Action, { kind: 'end' }>, milliseconds: number): number {
    const now = this.#dependencies.now();
    const attempt = this.#transaction(() => {
      this.#wakeIn(milliseconds);
      const begun = this.journal.begin(step, action.kind, now);
      const events = [stepStarted(step, begun, action), ...waitBegun(step, action, now + milliseconds)];
      this.events.append(events, now);
      return begun;
    });
    this.watchers.changed();
    return attempt;
  }

  /** Keeps what a step gave; nothing of it where another attempt has overtaken this one, or the run has ended. */
  complete(
    step: number,
    attempt: number,
    kind: Exclude<Action, { kind: 'end' }>['kind'],
    outcome: Outcome,
    events: readonly RunEventBody[] = [],
    apply: () => void = () => undefined,
  ): boolean {
    const now = this.#dependencies.now();
    const kept = this.#transaction(() => {
      if (!this.journal.complete(step, attempt, outcome, now)) return false;
      apply();
      this.events.append([...events, stepDone(step, kind, outcome)], now);
      this.#wakeIn(this.#dependencies.pauseMilliseconds);
      return true;
    });
    if (kept) this.watchers.changed();
    return kept;
  }

  #tell(step: number, attempt: number, events: readonly RunEventBody[]): void {
    this.#transaction(() => {
      if (this.journal.run().endedAt !== null || !this.journal.isOpen(step, attempt)) return;
      this.events.append(events, this.#dependencies.now());
    });
    this.watchers.changed();
  }

  /** True: what follows an end can be done at once. */
  end(stopReason: StopReason, text: string): boolean {
    const now = this.#dependencies.now();
    const status = statusOf(stopReason);
    this.#transaction(() => {
      this.journal.end(status, stopReason, cutText(text, RUN_LIMITS.resultCharacters), now);
      this.events.append([{ type: 'run.ended', status, stopReason }], now);
      this.#wakeIn(this.#dependencies.pauseMilliseconds);
    });
    this.#abort.abort(new Error('the run has ended'));
    this.watchers.changed();
    this.#report(stopReason);
    return true;
  }

  /** An event is no reason for anything to fail. */
  #report(stopReason: StopReason): void {
    const read = this.#tryToRead();
    if (read === null) return;
    const { start, standing } = read;
    const event = runEnded(start, standing.usage.view(), this.journal.run(), stopReason);
    this.#dependencies.events.emit({ organisation: start.organisation, settings: start.settings }, event);
  }

  /** The organisation's list of runs is told of a run and of its end, until it knows. */
  async #tellList(): Promise<void> {
    const { status, told, createdAt, endedAt } = this.journal.run();
    if (told === status) return;
    try {
      const { id, organisation, skill, agent, parent, boundTo } = this.start();
      const { name, layer, revision } = skill;
      await this.#dependencies.list.note(organisation, boundTo, {
        id,
        status,
        skill: { name, layer, revision },
        agent: agent.name,
        parent,
        createdAt: new Date(createdAt).toISOString(),
        endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
      });
      if (this.journal.exists()) this.journal.told(status);
    } catch (error) {
      this.#log('run_not_listed', error);
    }
  }

  async #afterEnd(): Promise<void> {
    const { parent, organisation } = this.start();
    if (this.journal.run().told !== this.journal.run().status) {
      if (parent !== null) await this.#dependencies.runs.nudge({ organisation, id: parent, boundTo: null });
      await this.#tellList();
    }
    const { endedAt, told, status } = this.journal.run();
    if (told !== status) return this.#wakeIn(RUN_LIMITS.listRetryMilliseconds);
    const left = (endedAt ?? 0) + RUN_LIMITS.retentionMilliseconds - this.#dependencies.now();
    if (left > 0) return this.#wakeIn(left);
    await this.#state.storage.deleteAlarm();
    await this.#state.storage.deleteAll();
    this.journal.forget();
    this.events.forget();
    this.#known = null;
  }

  #tryToRead(): Read | null {
    try {
      return this.read();
    } catch (error) {
      this.#log('run_journal_unreadable', error);
      this.#known = null;
      return null;
    }
  }

  /** What the event log remembers of itself is only true of transactions that were kept. */
  #transaction<Value>(work: () => Value): Value {
    try {
      return this.#state.storage.transactionSync(work);
    } catch (error) {
      this.events.forget();
      throw error;
    }
  }

  #log(event: string, error: unknown): void {
    logFault(event, {
      run: this.#state.id.name ?? '',
      reason: error instanceof Error ? error.message : String(error),
    });
  }

  /** Of the time that a run may work. */
  #remaining({ limits }: StoredStart): number {
    const { createdAt, waited } = this.journal.run();
    return createdAt + waited + limits.milliseconds - this.#dependencies.now();
  }

  /** Alarms are rows of the same database: set in a transaction, they commit with it. */
  #wakeIn(milliseconds: number): void {
    this.#state.waitUntil(this.#state.storage.setAlarm(Date.now() + milliseconds));
  }
}

function knownOf(start: StoredStart) {
  return { start, standing: new Standing(start) };
}

function unanswered({ pending }: Wait): WaitAnswer {
  if (pending.for === 'approval') return { for: 'approval', approved: false, by: null };
  const stderr = 'not answered: the host did not make this call in time.\n';
  const result = { stdout: '', stderr, exitCode: 124, refused: false };
  return { for: 'tool_call', result };
}

function statusOf(stopReason: StopReason): Exclude<RunStatus, 'running'> {
  switch (stopReason) {
    case 'completed':
      return 'succeeded';
    case 'cancelled':
      return 'cancelled';
    case 'turn_limit':
    case 'tool_call_limit':
    case 'token_limit':
    case 'cost_limit':
    case 'wall_time_limit':
    case 'depth_limit':
    case 'workspace_limit':
    case 'output_limit':
    case 'repeated_call':
      return 'stopped';
    default:
      return 'failed';
  }
}
