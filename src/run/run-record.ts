import type { AuditActor } from '../audit/audit-act.ts';
import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { RunEventBody } from '../invoke/runs/run-event.ts';
import type { RequiredAction, StopReason } from '../invoke/runs/run-contract.ts';
import { WorkspaceStore } from '../sandbox/workspace-store.ts';
import { AuditOutbox } from './audit-outbox.ts';
import type { RunDependencies } from './dependencies.ts';
import { EventTable } from './event-table.ts';
import { Journal } from './journal.ts';
import type { Outcome } from './outcome.ts';
import { statusOf } from './run-status.ts';
import { type Action, Standing } from './standing.ts';
import { stepDone, stepStarted, waitBegun, waitBelow } from './step-events.ts';
import type { StoredStart } from './stored-start.ts';
import { Watchers } from './watchers.ts';
import type { Work } from './work.ts';

export type Step = Exclude<Action, { kind: 'end' }>;

/** Where a run stands, as it is stored. */
export interface RunReading {
  readonly start: StoredStart;
  readonly standing: Standing;
  readonly next: Action;
}

/** What belongs to the end of a step. */
interface StepEnd {
  /** Before its last event. */
  readonly events?: readonly RunEventBody[];
  /** Its changes. */
  apply?(): void;
  /** The next step, where it is work, begins with the end of this one: call `takeBegun` at once, and do it. */
  readonly goesOn?: boolean;
}

/** A step that has begun. */
interface Begun {
  readonly action: Work;
  readonly attempt: number;
}

/**
 * What is stored of one run, and every change of it. A step is noted before it works; what it gave, its changes to the
 * workspace, its events and the alarm of the next step are one transaction.
 */
export class RunRecord {
  readonly journal: Journal;
  readonly workspace: WorkspaceStore;
  readonly events: EventTable;
  readonly audit: AuditOutbox;
  /** Who waits for the next event, and who for an end, or for a wait for somebody outside. */
  readonly watchers = new Watchers();
  readonly patient = new Watchers();
  /** An alarm is at work, and will begin the next step as soon as this one is done. */
  goesOn = false;
  /** With the end of the step before, and nobody works on it yet. */
  #begun: Begun | null = null;
  readonly #state: DurableObjectState;
  readonly #dependencies: Pick<RunDependencies, 'now' | 'pauseMilliseconds'>;
  /** The next alarm, as far as it is known here. */
  #alarmAt = 0;
  #known: { readonly start: StoredStart; readonly standing: Standing } | null = null;

  constructor(state: DurableObjectState, dependencies: Pick<RunDependencies, 'now' | 'pauseMilliseconds'>) {
    this.#state = state;
    this.#dependencies = dependencies;
    this.journal = new Journal(state.storage.sql);
    this.workspace = new WorkspaceStore(state.storage.sql);
    this.events = new EventTable(state.storage.sql);
    this.audit = new AuditOutbox(state.storage.sql);
  }

  /** Makes a run durable. `place` writes its files. */
  create(start: StoredStart, place: () => void): void {
    const now = this.#dependencies.now();
    this.#transaction(() => {
      this.journal.create(start, now);
      this.audit.started(start, now);
      place();
      this.events.create();
      this.events.append([{ type: 'run.started' }], now);
      this.wakeIn(Math.max(this.#dependencies.pauseMilliseconds, RUN_LIMITS.firstWatchdogMilliseconds));
    });
    this.#known = { start, standing: new Standing(start) };
  }

  /** Throws where what is stored makes no sense: no later attempt will read it better. */
  start(): StoredStart {
    return this.#known?.start ?? this.journal.start();
  }

  /** Throws as `start` does. */
  read(): RunReading {
    this.#known ??= knownOf(this.journal);
    const { start, standing } = this.#known;
    return { start, standing, next: standing.next() };
  }

  /** Notes that a step begins; unless it ends before, the run wakes after that time. Answers how often it has begun. */
  begin(step: number, action: Step, milliseconds: number): number {
    const now = this.#dependencies.now();
    const attempt = this.#transaction(() => {
      this.watch(milliseconds);
      const begun = this.journal.begin(step, action.kind, now);
      const events = [stepStarted(step, begun, action), ...waitBegun(step, action, now + milliseconds)];
      this.events.append(events, now);
      return begun;
    });
    this.watchers.changed();
    if (action.kind === 'wait') this.patient.changed();
    return attempt;
  }

  /** Keeps what a step gave; nothing of it where another attempt has overtaken this one, or the run has ended. */
  complete(
    step: number,
    attempt: number,
    kind: Step['kind'],
    outcome: Outcome,
    { events = [], apply, goesOn = false }: StepEnd = {},
  ): boolean {
    const now = this.#dependencies.now();
    // Read before, since what is read then has this step in it.
    const { start, standing } = this.read();
    const kept = this.#transaction(() => {
      if (!this.journal.complete(step, attempt, outcome, now)) return null;
      apply?.();
      standing.apply(outcome);
      const begun = goesOn && this.remaining(start) > 0 ? this.#beginNext(standing, now) : null;
      const done = [...events, stepDone(step, kind, outcome)];
      this.events.append(
        begun === null ? done : [...done, stepStarted(standing.steps, begun.attempt, begun.action)],
        now,
      );
      // Where the next step begins at once, the alarm that watches over this one is enough.
      if (!this.goesOn) this.wakeSoon();
      return { begun };
    });
    if (kept === null) return false;
    this.#begun = kept.begun;
    this.watchers.changed();
    return true;
  }

  /** Null where what comes next is no work. */
  #beginNext(standing: Standing, now: number): Begun | null {
    const action = standing.next();
    if (action.kind === 'end' || action.kind === 'wait') return null;
    this.watch(RUN_LIMITS.watchdogMilliseconds);
    return { action, attempt: this.journal.begin(standing.steps, action.kind, now) };
  }

  get hasBegun(): boolean {
    return this.#begun !== null;
  }

  /** The step that began with the end of the one before. */
  takeBegun(): Begun | null {
    const begun = this.#begun;
    this.#begun = null;
    return begun;
  }

  /** Notes what a run below this one waits for. False where all of it was told before. */
  waitsBelow(step: number, actions: readonly RequiredAction[]): boolean {
    if (actions.length === 0) return false;
    const told = this.#transaction(() => {
      const fresh = actions.filter((action) => this.events.isFirst(action.run, action.id));
      this.events.append(
        fresh.map((action) => waitBelow(step, action)),
        this.#dependencies.now(),
      );
      return fresh.length > 0;
    });
    if (!told) return false;
    this.watchers.changed();
    this.patient.changed();
    return true;
  }

  /** Events of a step that still works. */
  tell(step: number, attempt: number, events: readonly RunEventBody[]): void {
    this.#transaction(() => {
      if (!this.hasEnded() && this.journal.isOpen(step, attempt))
        this.events.append(events, this.#dependencies.now());
    });
    this.watchers.changed();
  }

  /** `by`: who ended it, where somebody did. */
  end(stopReason: StopReason, text: string, by: AuditActor | null): void {
    const now = this.#dependencies.now();
    const status = statusOf(stopReason);
    this.#transaction(() => {
      this.journal.end(status, stopReason, cutText(text, RUN_LIMITS.resultCharacters), now);
      this.audit.ended(status, stopReason, now, by);
      this.events.append([{ type: 'run.ended', status, stopReason }], now);
      // Where an alarm is at work, what follows the end follows at once.
      if (this.goesOn) this.watch(RUN_LIMITS.watchdogMilliseconds);
      else this.wakeSoon();
    });
    this.#begun = null;
    this.watchers.changed();
    this.patient.changed();
  }

  hasEnded(): boolean {
    return this.journal.hasEnded();
  }

  /** Of the time that a run may work. */
  remaining({ limits }: StoredStart): number {
    const { createdAt, waited } = this.journal.run();
    return createdAt + waited + limits.milliseconds - this.#dependencies.now();
  }

  async delete(): Promise<void> {
    await this.#state.storage.deleteAlarm();
    await this.#state.storage.deleteAll();
    this.forget();
  }

  /** What is remembered may not be what is stored. */
  forget(): void {
    this.events.forget();
    this.journal.forget();
    this.workspace.forget();
    this.audit.forget();
    this.#known = null;
    this.#begun = null;
  }

  /** The alarm that was set has come. */
  woken(): void {
    this.#alarmAt = 0;
  }

  wakeSoon(): void {
    this.wakeIn(this.#dependencies.pauseMilliseconds);
  }

  /** Should the object die meanwhile. An alarm that comes before that time does as well. */
  watch(milliseconds: number): void {
    const now = Date.now();
    if (this.#alarmAt <= now || this.#alarmAt > now + milliseconds) this.wakeIn(milliseconds);
  }

  /** Alarms are rows of the same database: set in a transaction, they commit with it. */
  wakeIn(milliseconds: number): void {
    this.#alarmAt = Date.now() + milliseconds;
    this.#state.waitUntil(this.#state.storage.setAlarm(Date.now() + milliseconds));
  }

  /** What is remembered is only true of transactions that were kept. */
  #transaction<Value>(work: () => Value): Value {
    try {
      return this.#state.storage.transactionSync(work);
    } catch (error) {
      this.forget();
      this.#alarmAt = 0;
      throw error;
    }
  }
}

/** Read once; from then on every step passes through here. */
function knownOf(journal: Journal) {
  const start = journal.start();
  const standing = new Standing(start);
  for (const outcome of journal.outcomes()) standing.apply(outcome);
  return { start, standing };
}
