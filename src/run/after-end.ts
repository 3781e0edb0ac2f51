import { AUDIT_LIMITS, RUN_LIMITS } from '../core/limits.ts';
import type { RunAddress, ShownStatus } from '../invoke/run-contract.ts';
import type { DueReport } from './audit-outbox.ts';
import type { RunDependencies } from './dependencies.ts';
import { relatedRun } from './related-run.ts';
import { lastRunBelow } from './run-below.ts';
import type { RunRecord } from './run-record.ts';

type Log = (event: string, error: unknown) => void;
type World = Pick<RunDependencies, 'list' | 'runs' | 'audit' | 'now'>;

/**
 * The organisation's list of runs is told of a run and of its end, and its audit log what it was not told yet, each until it
 * knows. What they know now is noted at once for both. False where the log could not be told all of it.
 */
export async function tellOrganisation(
  record: RunRecord,
  { list, audit }: Pick<World, 'list' | 'audit'>,
  log: Log,
  status: ShownStatus = record.journal.run().status,
): Promise<boolean> {
  const { journal } = record;
  const { told } = journal.run();
  const due = record.audit.due();
  const [isListed, isLogged] = await Promise.all([
    told === status || succeeds('run_not_listed', log, async () => noteInList(record, list, status)),
    due.length === 0 || succeeds('run_audit_failed', log, async () => tellLog(due, audit)),
  ]);
  if (!journal.exists()) return true;
  if (isListed && told !== status) journal.told(status);
  if (isLogged) record.audit.told(due);
  return isLogged;
}

async function noteInList(record: RunRecord, list: World['list'], status: ShownStatus): Promise<void> {
  const { createdAt, endedAt } = record.journal.run();
  const { id, organisation, skill, agent, parent, boundTo } = record.start();
  const { name, layer, revision } = skill;
  await list.note(organisation, boundTo, {
    id,
    status,
    skill: { name, layer, revision },
    agent: agent.name,
    parent,
    createdAt: new Date(createdAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  });
}

async function tellLog(due: readonly DueReport[], audit: World['audit']): Promise<void> {
  const { reportsAtOnce } = AUDIT_LIMITS;
  for (let from = 0; from < due.length; from += reportsAtOnce) {
    const reports = due.slice(from, from + reportsAtOnce).map(({ report }) => report);
    const [first] = reports;
    if (first !== undefined) await audit.record(first.actor.organisation, reports);
  }
}

async function succeeds(event: string, log: Log, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log(event, error);
    return false;
  }
}

/** Tells those who want to know that a run has ended; later, deletes it. */
export async function afterEnd(record: RunRecord, world: World, log: Log): Promise<void> {
  if (!isTold(record)) {
    if (!(await cancelBelow(record, world, log))) return record.wakeIn(RUN_LIMITS.listRetryMilliseconds);
    await tellParent(record, world, log);
  }
  const isLogged = await tellOrganisation(record, world, log);
  if (!isTold(record)) return record.wakeIn(RUN_LIMITS.listRetryMilliseconds);
  const { endedAt } = record.journal.run();
  const left = (endedAt ?? 0) + RUN_LIMITS.retentionMilliseconds - world.now();
  if (left > 0) record.wakeIn(isLogged ? left : Math.min(left, RUN_LIMITS.auditRetryMilliseconds));
  else await record.delete();
}

/** What was started below an ended run is nobody's any more. False where it could not be reached. */
async function cancelBelow(record: RunRecord, { runs }: Pick<World, 'runs'>, log: Log): Promise<boolean> {
  const below = readBelow(record);
  if (below === null) return true;
  const cancelled = await runs.cancel(below, null);
  if (cancelled.ok || cancelled.error.code === 'run_unknown') return true;
  log('run_below_not_cancelled', cancelled.error.detail);
  return false;
}

/** A journal that makes no sense has ended its run, and names none below it. */
function readBelow(record: RunRecord): RunAddress | null {
  try {
    return lastRunBelow(record.read());
  } catch {
    return null;
  }
}

/** Of an end, or of a wait for somebody. Should it not hear, it looks by itself. */
export async function tellParent(record: RunRecord, { runs }: Pick<World, 'runs'>, log: Log): Promise<void> {
  try {
    const start = record.start();
    if (start.parent !== null) await runs.nudge(relatedRun(start, start.parent));
  } catch (error) {
    log('run_parent_not_told', error);
  }
}

function isTold({ journal }: RunRecord): boolean {
  const { status, told } = journal.run();
  return told === status;
}
