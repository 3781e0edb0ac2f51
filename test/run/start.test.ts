import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { RunStart } from '../../src/invoke/runs/run-contract.ts';
import { addressOf, bash, drain, ran, runs, startOf, stubOf, useDependencies, view } from './support.ts';

beforeEach(() => useDependencies());

async function tablesOf(start: RunStart): Promise<unknown[]> {
  return runInDurableObject(stubOf(start), (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
  );
}

test('a run is durable when its start answers', async () => {
  const start = startOf({ files: { 'in/a.txt': 'input' }, prompt: bash('cat in/a.txt') });
  const answer = await runs.start(start);
  expect(answer).toMatchObject({
    ok: true,
    value: { id: start.id, status: 'running', stopReason: null, engine: 'runbook', result: null, steps: [] },
  });
  await evictDurableObject(stubOf(start));
  expect((await view(start)).files).toEqual([{ path: 'in/a.txt', size: 5 }]);
  expect(await drain(start)).toMatchObject({ status: 'succeeded', stopReason: 'completed', result: 'input' });
});

test('without being woken by hand, alarms carry a run to its end', async () => {
  useDependencies({ pauseMilliseconds: 0 });
  const start = startOf({ prompt: bash('echo one > a', 'cat a') });
  await runs.start(start);
  await expect.poll(async () => (await view(start)).status, { timeout: 10_000 }).toBe('succeeded');
});

test('an accepted run begins by itself; its alarm is there for its object’s death', async () => {
  useDependencies({ pauseMilliseconds: 0 });
  const start = startOf({ prompt: bash('echo one') });
  await runs.start(start);
  await runInDurableObject(stubOf(start), (_, { storage }) => storage.deleteAlarm());
  await expect.poll(async () => (await view(start)).status, { timeout: 10_000 }).toBe('succeeded');
});

test('fifty equal starts at once make one run', async () => {
  const start = startOf({ files: { 'a.txt': 'a' }, prompt: bash('echo x >> a.txt; cat a.txt') });
  const answers = await Promise.all(Array.from({ length: 50 }, () => runs.start(start)));
  const created = new Set(answers.map((answer) => (answer.ok ? answer.value.createdAt : answer.error.code)));
  expect(created.size).toBe(1);
  const done = await drain(start);
  expect(done.result).toBe('ax\n');
  expect(done.usage).toMatchObject({ turns: 2, toolCalls: 1 });
  expect(await runs.start(start)).toEqual({ ok: true, value: done });
});

test('one id cannot stand for two requests', async () => {
  const start = startOf();
  await runs.start(start);
  const other = await runs.start({ ...start, prompt: 'other', fingerprint: digestOf('other') });
  expect(other).toMatchObject({ ok: false, error: { code: 'run_conflict' } });
  expect((await drain(start)).result).toBe('hello\n');
});

test('reading, waking and refusing a run that is not there store nothing', async () => {
  const start = startOf();
  expect(await runs.read(addressOf(start))).toMatchObject({
    ok: false,
    error: { code: 'run_unknown' },
  });
  await runInDurableObject(stubOf(start), (object) => object.alarm());
  const refused = await runs.start({ ...start, files: [{ path: '../x', content: new Uint8Array() }] });
  expect(refused).toMatchObject({ ok: false, error: { code: 'run_refused' } });
  expect(await tablesOf(start)).toEqual([]);
  await runs.start(start);
  expect(await tablesOf(start)).not.toEqual([]);
});

test('another organisation’s run is unknown', async () => {
  const start = startOf();
  await runs.start(start);
  expect(await runs.read(addressOf({ organisation: 'other', id: start.id }))).toMatchObject({
    ok: false,
    error: { code: 'run_unknown' },
  });
});

async function readable(start: RunStart, by: RunStart['boundTo']): Promise<boolean> {
  return (await runs.read(addressOf(start, by))).ok;
}

test('a bound token reads only runs of its own bounds, an unbound one all', async () => {
  const bound = startOf({ boundTo: ['user:alice', 'project:web'] });
  const free = startOf({ boundTo: null });
  await Promise.all([runs.start(bound), runs.start(free)]);
  expect(await readable(bound, null)).toBe(true);
  expect(await readable(bound, ['project:web', 'user:alice'])).toBe(true);
  expect(await readable(bound, ['user:alice', 'project:web', 'user:alice'])).toBe(true);
  expect(await readable(bound, ['user:alice'])).toBe(false);
  expect(await readable(bound, ['user:alice', 'project:web', 'org'])).toBe(false);
  expect(await readable(bound, ['user:alice', 'project:other'])).toBe(false);
  expect(await readable(bound, [])).toBe(false);
  expect(await readable(free, null)).toBe(true);
  expect(await readable(free, [])).toBe(false);
  expect(await readable(free, ['user:alice'])).toBe(false);
});

const MIB = new Uint8Array(1024 * 1024);
const refusals: [string, Record<string, string | Uint8Array>][] = [
  ['a path out of the workspace', { '../a': '' }],
  ['an absolute path', { '/a': '' }],
  ['an empty segment', { 'a//b': '' }],
  ['a control character', { 'a\nb': '' }],
  ['a file below a file', { a: '', 'a/b': '' }],
  ['a file over its limit', { a: new Uint8Array(RUN_LIMITS.fileBytes + 1) }],
  ['too many bytes', Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`f${index}`, MIB]))],
  ['too many files', Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`f${index}`, '']))],
];

test.each(refusals)('refuses %s', async (_, files) => {
  expect(await runs.start(startOf({ files }))).toMatchObject({ ok: false, error: { code: 'run_refused' } });
});

test('refuses a skill directory that is not below /skills, and the same file twice', async () => {
  const start = startOf();
  const outside = { ...start, skill: { ...start.skill, directory: '/skills/../workspace' } };
  expect(await runs.start(outside)).toMatchObject({
    ok: false,
    error: { code: 'run_refused', at: 'skill.directory' },
  });
  const file = { path: 'a', content: new Uint8Array() };
  expect(await runs.start({ ...start, files: [file, file] })).toMatchObject({
    ok: false,
    error: { code: 'run_refused' },
  });
});

test('an ended run is kept for the retention time and then deleted with its storage', async () => {
  let now = Date.now();
  useDependencies({ now: () => now });
  const start = startOf();
  await ran(start);
  now += RUN_LIMITS.retentionMilliseconds - 1000;
  await runDurableObjectAlarm(stubOf(start));
  expect((await view(start)).status).toBe('succeeded');
  now += 2000;
  expect(await runDurableObjectAlarm(stubOf(start))).toBe(true);
  expect(await runs.read(addressOf(start))).toMatchObject({
    ok: false,
    error: { code: 'run_unknown' },
  });
  expect(await tablesOf(start)).toEqual([]);
  expect(await runDurableObjectAlarm(stubOf(start))).toBe(false);
});
