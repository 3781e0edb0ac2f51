import { z } from 'zod';
import { type AuditAct, type AuditActor, auditName, AuditReport } from '../audit/audit-act.ts';
import type { RunStatus, StopReason } from '../invoke/runs/run-contract.ts';
import type { ToolCall } from '../model/message.ts';
import { parseJson } from '../view/json-document.ts';
import { actorOf } from '../view/principal.ts';
import type { Pending, WaitAnswer } from './outcome.ts';
import type { StoredStart } from './stored-start.ts';

/** `act` is the place of a report: what it tells of happens once in a run. */
const TABLE = `CREATE TABLE IF NOT EXISTS audit_outbox (
  act TEXT PRIMARY KEY, report TEXT NOT NULL, happened INTEGER NOT NULL) WITHOUT ROWID`;
const Row = z.object({ act: z.string(), report: z.string(), happened: z.literal([0, 1, 2]) });

/** How far a report has come. One that was told stays, so that the same is not told again. */
const AHEAD = 0;
const DUE = 1;
const TOLD = 2;
type State = typeof AHEAD | typeof DUE | typeof TOLD;

interface Noted {
  readonly report: AuditReport;
  readonly state: State;
}

/** A report and its place. */
export interface DueReport {
  readonly act: string;
  readonly report: AuditReport;
}

/**
 * What a run tells its organisation's audit log: noted in the transaction of what it tells of, and sent until it arrives.
 * All that the end of the run will say is noted at its start, since later the journal may be past reading.
 */
export class AuditOutbox {
  readonly #sql: SqlStorage;
  /** By their places: what is stored. */
  #known: Map<string, Noted> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  started(start: StoredStart, at: number): void {
    this.#sql.exec(TABLE);
    this.#known = new Map();
    const { model, tools } = start;
    const actor = starterOf(start);
    const subject = auditName(start.id);
    const { skill, layer, revision } = namesOf(start.skill);
    const counts = {
      declared: tools.declared.length,
      granted: tools.granted.length,
      missing: tools.missing.length,
    };
    const began = { skill, layer, revision, engine: model.engine, tools: counts };
    const ended = { skill, layer, status: 'running', stopReason: 'none' };
    this.#note('run_started', reportOf(actor, at, { act: 'run_started', subject, details: began }));
    this.#note('run_ended', reportOf(actor, at, { act: 'run_ended', subject, details: ended }), AHEAD);
  }

  /** By whoever started it, unless somebody else ended it. */
  ended(status: RunStatus, stopReason: StopReason, at: number, by: AuditActor | null): void {
    const ahead = this.#reports().get('run_ended');
    if (ahead?.state !== AHEAD) return;
    const { actor, act } = ahead.report;
    if (act.act !== 'run_ended') return;
    const details = { ...act.details, status, stopReason };
    this.#note('run_ended', reportOf(by ?? actor, at, { ...act, details }));
  }

  /** A question about a call was answered; by nobody where `by` is null. */
  decided(
    start: StoredStart,
    { tool }: ToolCall,
    { skill = start.skill }: Extract<Pending, { for: 'approval' }>,
    { approved }: Extract<WaitAnswer, { for: 'approval' }>,
    { step, by, at }: { readonly step: number; readonly by: AuditActor | null; readonly at: number },
  ): void {
    const { organisation } = start;
    const said = approved ? 'approved' : 'denied';
    const decision = by === null ? 'unanswered' : said;
    const details = { decision, step, tool: auditName(tool), ...namesOf(skill) } as const;
    const act = { act: 'run_call_decided', subject: auditName(start.id), details } as const;
    const actor = by ?? actorOf({ organisation, label: 'deployment', actor: 'service' });
    this.#note(placeOf(step, act.act), reportOf(actor, at, act));
  }

  /** A call was refused. */
  denied(start: StoredStart, { tool }: ToolCall, at: number): void {
    const details = { tool: auditName(tool), ...namesOf(start.skill) };
    const act = { act: 'run_call_denied', subject: auditName(start.id), details } as const;
    this.#noteFirst(`run_call_denied/${details.tool}`, reportOf(starterOf(start), at, act));
  }

  /** A skill that the run wanted was denied. */
  deniedSkill(report: AuditReport): void {
    this.#noteFirst(`skill_denied/${report.key}`, report);
  }

  /** What is remembered may not be what is stored. */
  forget(): void {
    this.#known = null;
  }

  /** What happened and was not told yet: the start before all else, and the end behind it. */
  due(): DueReport[] {
    return [...this.#reports()]
      .flatMap(([act, { report, state }]) => (state === DUE ? [{ act, report }] : []))
      .toSorted((left, right) => rankOf(left) - rankOf(right) || left.report.at - right.report.at);
  }

  /** Told again, a report is the same one; so it does not matter that two may be on their way. */
  told(reports: readonly DueReport[]): void {
    for (const { act, report } of reports) {
      this.#sql.exec('UPDATE audit_outbox SET happened = ? WHERE act = ? AND happened = ?', TOLD, act, DUE);
      this.#reports().set(act, { report, state: TOLD });
    }
  }

  #note(place: string, report: AuditReport, state: State = DUE): void {
    this.#reports().set(place, { report, state });
    this.#sql.exec(
      'INSERT OR REPLACE INTO audit_outbox (act, report, happened) VALUES (?, ?, ?)',
      place,
      JSON.stringify(report),
      state,
    );
  }

  /** A model may try the same for ever. */
  #noteFirst(place: string, report: AuditReport): void {
    if (!this.#reports().has(place)) this.#note(place, report);
  }

  /** Runs from before there was this table have none. */
  #reports(): Map<string, Noted> {
    if (this.#known !== null) return this.#known;
    this.#sql.exec(TABLE);
    const rows = this.#sql.exec('SELECT act, report, happened FROM audit_outbox ORDER BY act').toArray();
    this.#known = new Map(
      z
        .array(Row)
        .parse(rows)
        .flatMap(({ act, report, happened }) => {
          const read = parseJson(AuditReport, report);
          return read === null ? [] : [[act, { report: read, state: happened }] as const];
        }),
    );
    return this.#known;
  }
}

function rankOf({ act }: DueReport): number {
  return act === 'run_started' ? 0 : act === 'run_ended' ? 2 : 1;
}

function starterOf({ organisation, startedBy: label, actor }: StoredStart): AuditActor {
  return actorOf({ organisation, label, actor });
}

function namesOf({ name, layer, revision }: Pick<StoredStart['skill'], 'name' | 'layer' | 'revision'>) {
  return { skill: auditName(name), layer: auditName(layer), revision };
}

function placeOf(step: number, act: string): string {
  return `${act}/${String(step).padStart(6, '0')}`;
}

function reportOf(actor: AuditActor, at: number, act: AuditAct): AuditReport {
  // With the time: an id can come back once its run is forgotten. With the tool and the step: a run has many calls.
  const call = 'tool' in act.details ? `/${'step' in act.details ? act.details.step : act.details.tool}` : '';
  return { key: auditName(`${act.subject}/${at}/${act.act}${call}`), at, times: 1, actor, act };
}
