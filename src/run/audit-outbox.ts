import { z } from 'zod';
import { auditName, AuditReport } from '../audit/audit-act.ts';
import type { RunStatus, StopReason } from '../invoke/run-contract.ts';
import { parseJson } from '../view/json-document.ts';
import { actorOf } from '../view/principal.ts';
import type { StoredStart } from './stored-start.ts';

const TABLE = `CREATE TABLE IF NOT EXISTS audit_outbox (
  act TEXT PRIMARY KEY, report TEXT NOT NULL, happened INTEGER NOT NULL) WITHOUT ROWID`;
const Row = z.object({ report: z.string() });

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
    const { skill, model, tools } = start;
    const actor = actorOf({ organisation: start.organisation, label: start.startedBy, actor: start.actor });
    const subject = auditName(start.id);
    const { revision } = skill;
    const [name, layer] = [auditName(skill.name), auditName(skill.layer)];
    const counts = {
      declared: tools.declared.length,
      granted: tools.granted.length,
      missing: tools.missing.length,
    };
    const began = { skill: name, layer, revision, engine: model.engine, tools: counts };
    const ended = { skill: name, layer, status: 'running', stopReason: 'none' };
    this.#note({ actor, at, act: { act: 'run_started', subject, details: began } }, true);
    this.#note({ actor, at, act: { act: 'run_ended', subject, details: ended } }, false);
  }

  ended(status: RunStatus, stopReason: StopReason, at: number): void {
    const [report] = this.#read(false);
    if (report?.act.act !== 'run_ended') return;
    const details = { ...report.act.details, status, stopReason };
    this.#note({ ...report, at, act: { ...report.act, details } }, true);
  }

  /** What is remembered may not be what is stored. */
  forget(): void {
    this.#hasTable = false;
  }

  /** What happened and was not told yet. */
  due(): AuditReport[] {
    return this.#read(true);
  }

  /** Told again, a report is the same one; so it does not matter that two may be on their way. */
  told(reports: readonly AuditReport[]): void {
    for (const { act } of reports)
      this.#sql.exec('DELETE FROM audit_outbox WHERE act = ? AND happened = 1', act.act);
  }

  #note({ actor, at, act }: Pick<AuditReport, 'actor' | 'at' | 'act'>, happened: boolean): void {
    // With the time: an id can come back once its run is forgotten.
    const report: AuditReport = { key: `${act.subject}/${at}/${act.act}`, at, times: 1, actor, act };
    this.#makeTable();
    this.#sql.exec(
      'INSERT OR REPLACE INTO audit_outbox (act, report, happened) VALUES (?, ?, ?)',
      act.act,
      JSON.stringify(report),
      happened ? 1 : 0,
    );
  }

  /** Runs from before there was this table have none. */
  #makeTable(): void {
    if (!this.#hasTable) this.#sql.exec(TABLE);
    this.#hasTable = true;
  }

  /** The start before the end, as the alphabet has it. */
  #read(happened: boolean): AuditReport[] {
    this.#makeTable();
    return this.#sql
      .exec('SELECT report FROM audit_outbox WHERE happened = ? ORDER BY act DESC', happened ? 1 : 0)
      .toArray()
      .flatMap((row) => parseJson(AuditReport, Row.parse(row).report) ?? []);
  }
}
