import { RUN_LIMITS } from '../core/limits.ts';
import type { RunDependencies } from './dependencies.ts';
import type { RunRecord } from './run-record.ts';

type Log = (event: string, error: unknown) => void;
type World = Pick<RunDependencies, 'list' | 'runs' | 'audit' | 'now'>;

/** The organisation's list of runs is told of a run and of its end, until it knows. */
export async function tellList(record: RunRecord, { list }: Pick<World, 'list'>, log: Log): Promise<void> {
  const { status, told, createdAt, endedAt } = record.journal.run();
  if (told === status) return;
  try {
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
    if (record.journal.exists()) record.journal.told(status);
  } catch (error) {
    log('run_not_listed', error);
  }
}

/** The organisation's audit log is told what it was not told yet. False where not all of it could be told now. */
export async function tellLog(
  record: RunRecord,
  { audit }: Pick<World, 'audit'>,
  log: Log,
): Promise<boolean> {
  try {
    await record.audit.send(audit);
    return true;
  } catch (error) {
    log('run_audit_failed', error);
    return false;
  }
}

/** Tells those who want to know that a run has ended; later, deletes it. */
export async function afterEnd(record: RunRecord, world: World, log: Log): Promise<void> {
  if (!isTold(record)) {
    await tellParent(record, world, log);
    await tellList(record, world, log);
    if (!isTold(record)) return record.wakeIn(RUN_LIMITS.listRetryMilliseconds);
  }
  const isLogged = await tellLog(record, world, log);
  const { endedAt } = record.journal.run();
  const left = (endedAt ?? 0) + RUN_LIMITS.retentionMilliseconds - world.now();
  if (left > 0) record.wakeIn(isLogged ? left : Math.min(left, RUN_LIMITS.auditRetryMilliseconds));
  else await record.delete();
}

/** Of an end, or of a wait for somebody. Should it not hear, it looks by itself. */
export async function tellParent(record: RunRecord, { runs }: Pick<World, 'runs'>, log: Log): Promise<void> {
  try {
    const { parent, organisation } = record.start();
    if (parent !== null) await runs.nudge({ organisation, id: parent, boundTo: null });
  } catch (error) {
    log('run_parent_not_told', error);
  }
}

function isTold({ journal }: RunRecord): boolean {
  const { status, told } = journal.run();
  return told === status;
}
