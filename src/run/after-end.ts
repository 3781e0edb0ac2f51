import type { AuditReport } from '../audit/audit-act.ts';
import { AUDIT_LIMITS, RUN_LIMITS } from '../core/limits.ts';
import type { RunAddress, ShownStatus } from '../invoke/runs/run-contract.ts';
import type { RunNews } from '../invoke/runs/run-list.ts';
import type { RunDependencies } from './dependencies.ts';
import { relatedRun } from './related-run.ts';
import { lastRunBelow } from './run-below.ts';
import type { RunRecord } from './run-record.ts';

type Log = (event: string, error: unknown) => void;
type World = Pick<RunDependencies, 'list' | 'runs' | 'now'>;
type Listed = NonNullable<RunNews['listed']>;

/**
 * The organisation's list of runs is told of a run and of its end, and its audit log what it was not told yet, in one call,
 * until they know. What they know now is noted at once for both. False where the log could not be told all of it.
 */
export async function tellOrganisation(
  record: RunRecord,
  { list }: Pick<World, 'list'>,
  log: Log,
  status: ShownStatus = record.journal.run().status,
): Promise<boolean> {
  const { journal } = record;
  const { told } = journal.run();
  const due = record.audit.due();
  const reports = due.map(({ report }) => report);
  const listed = told === status ? null : tryToList(record, status, log);
  const organisation = reports[0]?.actor.organisation ?? listed?.organisation;
  if (organisation === undefined) return true;
  const run = listed?.listed ?? null;
  const isLogged = await succeeds('run_not_told', log, async () => {
    for (const news of newsOf(run, reports)) await list.tell(organisation, news);
  });
  // A log that takes nothing keeps no run out of the list.
  const alone = { listed: run, reports: [] };
  const isListed =
    isLogged ||
    (reports.length > 0 &&
      (await succeeds('run_not_listed', log, async () => list.tell(organisation, alone))));
  if (!journal.exists()) return true;
  if (isListed && run !== null) journal.told(status);
  if (isLogged) record.audit.told(due);
  return isLogged;
}

/** Null where what is stored makes no sense. */
function tryToList(
  record: RunRecord,
  status: ShownStatus,
  log: Log,
): { organisation: string; listed: Listed } | null {
  try {
    const { createdAt, endedAt } = record.journal.run();
    const { id, organisation, skill, agent, parent, boundTo } = record.start();
    const { name, layer, revision } = skill;
    const run = {
      id,
      status,
      skill: { name, layer, revision },
      agent: agent.name,
      parent,
      createdAt: new Date(createdAt).toISOString(),
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    };
    return { organisation, listed: { boundTo, run } };
  } catch (error) {
    log('run_not_listed', error);
    return null;
  }
}

/** The list with the first of the reports, and the others behind them. */
function newsOf(listed: Listed | null, reports: readonly AuditReport[]): RunNews[] {
  const { reportsAtOnce } = AUDIT_LIMITS;
  const news: RunNews[] = [{ listed, reports: reports.slice(0, reportsAtOnce) }];
  for (let from = reportsAtOnce; from < reports.length; from += reportsAtOnce)
    news.push({ listed: null, reports: reports.slice(from, from + reportsAtOnce) });
  return news;
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
