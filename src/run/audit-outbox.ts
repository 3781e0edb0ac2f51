import { z } from 'zod';
import { type AuditAct, type AuditActor, auditName, AuditReport } from '../audit/audit-act.ts';
import type { RunStatus, StopReason } from '../invoke/run-contract.ts';
import type { ToolCall } from '../model/message.ts';
import { parseJson } from '../view/json-document.ts';
import { actorOf } from '../view/principal.ts';
import type { Pending, WaitAnswer } from './outcome.ts';
import type { StoredStart } from './stored-start.ts';

/** `act` is the place of a report: what it tells of happens once in a run. */
const TABLE = `CREATE TABLE IF NOT EXISTS audit_outbox (
  act TEXT PRIMARY KEY, report TEXT NOT NULL, happened INTEGER NOT NULL) WITHOUT ROWID`;
const Row = z.object({ act: z.string(), report: z.string() });

/** How far a report has come. One that was told stays, so that the same is not told again. */
const AHEAD = 0;
const DUE = 1;
const TOLD = 2;
type State = typeof AHEAD | typeof DUE | typeof TOLD;

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
  #hasTable = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  started(start: StoredStart, at: number): void {
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
    const report = this.#read(AHEAD)[0]?.report;
    if (report?.act.act !== 'run_ended') return;
    const details = { ...report.act.details, status, stopReason };
    this.#note('run_ended', reportOf(by ?? report.actor, at, { ...report.act, details }));
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
    this.#hasTable = false;
  }

  /** What happened and was not told yet. */
  due(): DueReport[] {
    return this.#read(DUE);
  }

  /** Told again, a report is the same one; so it does not matter that two may be on their way. */
  told(reports: readonly DueReport[]): void {
    for (const { act } of reports)
      this.#sql.exec('UPDATE audit_outbox SET happened = ? WHERE act = ? AND happened = ?', TOLD, act, DUE);
  }

  #note(place: string, report: AuditReport, state: State = DUE): void {
    this.#makeTable();
    this.#sql.exec(
      'INSERT OR REPLACE INTO audit_outbox (act, report, happened) VALUES (?, ?, ?)',
      place,
      JSON.stringify(report),
      state,
    );
  }

  /** Runs from before there was this table have none. */
  #makeTable(): void {
    if (!this.#hasTable) this.#sql.exec(TABLE);
    this.#hasTable = true;
  }

  /** A model may try the same for ever. */
  #noteFirst(place: string, report: AuditReport): void {
    this.#makeTable();
    const known = this.#sql.exec('SELECT 1 FROM audit_outbox WHERE act = ?', place).toArray();
    if (known.length === 0) this.#note(place, report);
  }

  /** The start before all else, and the end behind it. */
  #read(state: State): DueReport[] {
    this.#makeTable();
    return this.#sql
      .exec(
        `SELECT act, report FROM audit_outbox WHERE happened = ?
          ORDER BY act = 'run_ended', act <> 'run_started', json_extract(report, '$.at'), act`,
        state,
      )
      .toArray()
      .flatMap((row) => {
        const { act, report } = Row.parse(row);
        const read = parseJson(AuditReport, report);
        return read === null ? [] : [{ act, report: read }];
      });
  }
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
