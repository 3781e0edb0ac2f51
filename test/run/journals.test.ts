/** Journals that earlier releases left behind, in every state: a run goes on from each of them, for ever. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RequiredAction, RunView } from '../../src/invoke/runs/run-contract.ts';
import { everyStepDependencies } from './every-step.ts';
import first from './journals/v1.json';
import second from './journals/v2.json';
import { ORGANISATION, person, TestBlobs, runs, useDependencies } from './support.ts';

/** The tables of each release, as it created them. */
const TABLES = {
  v1: [
    `CREATE TABLE run (
      id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
      stop_reason TEXT, created_at INTEGER NOT NULL, ended_at INTEGER
    )`,
    `CREATE TABLE step (
      sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
      started_at INTEGER NOT NULL, ended_at INTEGER
    )`,
    'CREATE TABLE piece (owner TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (owner, number))',
    `CREATE TABLE entry (
      path TEXT PRIMARY KEY, type TEXT NOT NULL, size INTEGER NOT NULL, mode INTEGER NOT NULL, mtime INTEGER NOT NULL,
      content INTEGER
    )`,
  ],
  v2: [
    `CREATE TABLE run (
      id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
      stop_reason TEXT, created_at INTEGER NOT NULL, ended_at INTEGER, waited INTEGER NOT NULL DEFAULT 0, told TEXT
    )`,
    `CREATE TABLE step (
      sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
      started_at INTEGER NOT NULL, ended_at INTEGER
    )`,
    'CREATE TABLE piece (owner TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (owner, number))',
    `CREATE TABLE entry (
      path TEXT PRIMARY KEY, type TEXT NOT NULL, size INTEGER NOT NULL, mode INTEGER NOT NULL, mtime INTEGER NOT NULL,
      content INTEGER
    )`,
    'CREATE TABLE seen (path TEXT PRIMARY KEY, digest TEXT NOT NULL)',
    'CREATE TABLE event_batch (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, bytes INTEGER NOT NULL, events TEXT NOT NULL)',
  ],
};

type Rows = readonly Readonly<Record<string, string | number | null>>[];
interface RecordedJournal {
  readonly name: string;
  readonly journal: Readonly<Record<string, Rows>>;
}

let objects = 0;
let blobs = new TestBlobs();
/** The runs were recorded at this time, and none of them may be too old to go on. */
let now = 0;

beforeEach(() => {
  blobs = new TestBlobs();
  blobs.add('more\n');
  useDependencies({ blobs, now: () => now });
});

async function goOn(tables: readonly string[], { journal }: RecordedJournal): Promise<RunView> {
  const id = `run_recorded_${(objects += 1)}`;
  const stub = env.RUN.getByName(`${ORGANISATION}/${id}`);
  now = Math.max(...(journal['run'] ?? []).map((row) => Number(row['created_at']))) + 1000;
  await runInDurableObject(stub, async (_, { storage }) => {
    for (const table of tables) storage.sql.exec(table);
    for (const [table, rows] of Object.entries(journal))
      for (const row of rows) insert(storage.sql, table, row);
    await storage.setAlarm(Date.now() + 60 * 60 * 1000);
  });
  for (let wakes = 0; wakes < 50; wakes += 1) {
    const read = await runs.read({ organisation: ORGANISATION, id, boundTo: null });
    if (!read.ok) throw new Error(read.error.detail);
    if (read.value.endedAt !== null) return read.value;
    const [action] = read.value.requiredActions;
    if (action) await answer(id, action);
    else await runDurableObjectAlarm(stub);
  }
  throw new Error('the run did not end');
}

async function answer(id: string, action: RequiredAction): Promise<void> {
  const address = { organisation: ORGANISATION, id, boundTo: null };
  const given =
    action.kind === 'approval'
      ? ({ kind: 'approval', id: action.id, approve: true, by: person('alice') } as const)
      : ({ kind: 'tool_call', id: action.id, output: 'y', isError: false } as const);
  expect((await runs.answer(address, given)).ok).toBe(true);
}

function insert(sql: SqlStorage, table: string, row: Rows[number]): void {
  const columns = Object.keys(row);
  const values = columns.map((column) => {
    const value = row[column] ?? null;
    return column === 'bytes' ? new TextEncoder().encode(String(value)).buffer : value;
  });
  sql.exec(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...values,
  );
}

describe('of the first release', () => {
  const WHOLE = {
    status: 'succeeded',
    stopReason: 'completed',
    engine: 'runbook',
    result: 'one\ntwo\nmore\ninput\n',
    usage: { turns: 4, toolCalls: 3 },
    files: [
      { path: 'in/a.txt', size: 6 },
      { path: 'log.txt', size: 13 },
    ],
  };
  const ENDS: Readonly<Record<string, object>> = {
    'ended by a failed step': {
      status: 'failed',
      stopReason: 'step_failed',
      usage: { turns: 3, toolCalls: 2 },
    },
    'a refused call, not yet ended': { status: 'failed', stopReason: 'step_failed' },
    'a skill without steps': { status: 'failed', stopReason: 'no_steps', usage: { turns: 1, toolCalls: 0 } },
  };

  test.each<RecordedJournal>(first)('$name', async (recorded) => {
    const run = await goOn(TABLES.v1, recorded);
    expect(run).toMatchObject(ENDS[recorded.name] ?? WHOLE);
    expect(run.steps.map(({ sequence }) => sequence)).toEqual(run.steps.map((_, index) => index));
    const killed = recorded.name.startsWith('killed');
    expect(run.steps.map(({ attempts }) => attempts)).toEqual(
      run.steps.map(({ sequence }) => (killed && sequence === 3 ? 2 : 1)),
    );
  });
});

describe('of the second layout, with every kind of step', () => {
  test.each<RecordedJournal>(second)('$name', async (recorded) => {
    useDependencies({ ...everyStepDependencies(), now: () => now });
    const run = await goOn(TABLES.v2, recorded);
    expect(run).toMatchObject({ status: 'succeeded', stopReason: 'completed', result: '{"lines": 2}' });
    expect(run.usage).toMatchObject({ tokens: { small: { input: 40, output: 10 } } });
    expect(run.steps.map(({ sequence, attempts }) => [sequence, attempts])).toEqual(
      run.steps.map((_, index) => [index, 1]),
    );
  });
});
