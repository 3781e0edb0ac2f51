import { z } from 'zod';
import type { AuditAct, AuditActor } from '../audit/audit-act.ts';
import { AuditRecord, chainRecord, type ChainLink, genesis } from '../audit/audit-record.ts';
import type { Space } from '../catalog/layers.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { AUDIT_LIMITS } from '../core/limits.ts';
import { parseJson } from '../view/json-document.ts';
import type { AuditPage } from '../view/ports.ts';

const LinkRow = z.object({ sequence: z.number(), digest: DigestSchema });
const LineRow = z.object({ line: z.string() });
const FirstRow = z.object({ sequence: z.number(), at: z.number() });

export interface Happened {
  readonly actor: AuditActor;
  readonly act: AuditAct;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of what was told from outside: no two records have the same. */
  readonly report?: string;
}

/**
 * Writes one record, in the transaction of what it tells of: neither is ever there without the other. Also drops the oldest
 * ones where there are too many.
 */
export function appendAct(sql: SqlStorage, space: Space, happened: Happened): void {
  const head = writeRecord(sql, readLogHead(sql, space), happened);
  dropOldest(sql, space, head, Date.now());
}

/** Records behind a place, oldest first; null where the log does not reach that place. `sql`: null where nothing is stored. */
export function readLogPage(
  sql: SqlStorage | null,
  space: Space,
  after: number,
  limit: number,
): AuditPage | null {
  const head = sql ? readLogHead(sql, space) : genesis(space);
  if (after > head.sequence) return null;
  const lines = sql ? readLines(sql, after, limit) : [];
  const first = lines[0] === undefined ? null : parseJson(AuditRecord, lines[0]);
  const start = first ? { sequence: first.sequence - 1, digest: first.previous } : head;
  return { space, start, head, lines, end: start.sequence + lines.length };
}

/** As many as one answer can hold: a record with many names in it is a hundred times longer than one without. */
function readLines(sql: SqlStorage, after: number, limit: number): string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const row of sql.exec(
    'SELECT line FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?',
    after,
    limit,
  )) {
    const { line } = LineRow.parse(row);
    characters += line.length;
    if (lines.length > 0 && characters > AUDIT_LIMITS.pageCharacters) break;
    lines.push(line);
  }
  return lines;
}

function readLogHead(sql: SqlStorage, space: Space): ChainLink {
  const [row] = sql.exec('SELECT sequence, digest FROM audit ORDER BY sequence DESC LIMIT 1').toArray();
  return row === undefined ? genesis(space) : LinkRow.parse(row);
}

function writeRecord(sql: SqlStorage, head: ChainLink, { actor, act, at, report }: Happened): ChainLink {
  const { line, link } = chainRecord(head, actor, act, at);
  sql.exec(
    'INSERT INTO audit (sequence, at, digest, line, report) VALUES (?, ?, ?, ?, ?)',
    link.sequence,
    at,
    link.digest,
    line,
    report ?? null,
  );
  return link;
}

/** The record of a dropping names the last one that went, to which the first one that stays is chained. */
function dropOldest(sql: SqlStorage, space: Space, head: ChainLink, now: number): void {
  const [row] = sql.exec('SELECT sequence, at FROM audit ORDER BY sequence LIMIT 1').toArray();
  const first = FirstRow.parse(row);
  const { records, spareRecords, retentionMilliseconds, spareMilliseconds, droppedAtOnce } = AUDIT_LIMITS;
  const tooMany = head.sequence - first.sequence >= records + spareRecords;
  const tooOld = first.at < now - retentionMilliseconds - spareMilliseconds;
  if (!tooMany && !tooOld) return;
  const [last] = sql
    .exec(
      `SELECT sequence, digest FROM (SELECT sequence, at, digest FROM audit ORDER BY sequence LIMIT ?)
        WHERE sequence < ? AND (at < ? OR sequence <= ?) ORDER BY sequence DESC LIMIT 1`,
      droppedAtOnce,
      head.sequence,
      now - retentionMilliseconds,
      head.sequence - records,
    )
    .toArray();
  if (last === undefined) return;
  const { sequence: through, digest } = LinkRow.parse(last);
  sql.exec('DELETE FROM audit WHERE sequence <= ?', through);
  const dropped = through - first.sequence + 1;
  writeRecord(sql, head, {
    actor: { organisation: organisationOf(space), label: 'deployment', kind: 'service' },
    act: { act: 'log_trimmed', subject: 'audit', details: { space, through, digest, dropped } },
    at: now,
  });
}

function organisationOf(space: Space): string {
  return space === 'bundled' ? space : space.slice('o/'.length);
}
