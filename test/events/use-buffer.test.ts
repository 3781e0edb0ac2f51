import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { USAGE_LIMITS } from '../../src/core/limits.ts';
import { UseBuffer } from '../../src/events/use-buffer.ts';

const DELAY = 10_000;
let told: [organisation: string, ...names: string[]][] = [];
let work: Promise<void>[] = [];
let fails = 0;
let logged: { event: string; organisation: string; uses: string; reason: string }[] = [];
let buffer: UseBuffer;

beforeEach(() => {
  vi.useFakeTimers();
  logged = [];
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(JSON.parse(String(line))));
  [told, work, fails] = [[], [], 0];
  buffer = new UseBuffer(async (organisation, uses) => {
    told.push([organisation, ...uses.map(({ name }) => name)]);
    if (fails > 0) {
      fails -= 1;
      throw new Error('not now');
    }
  }, DELAY);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const waitUntil = (promise: Promise<void>) => void work.push(promise);
const use = (name: string, organisation = 'acme') =>
  buffer.record(organisation, { layer: 'org', name, at: Date.now() }, waitUntil);
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const names = (count: number) => Array.from({ length: count }, (_, at) => `skill-${at}`);

describe('uses that are held back', () => {
  it('are told together once the time is over, by the request that was first', async () => {
    use('a');
    await pass(DELAY - 1);
    use('b');
    use('c', 'other');
    expect([told, work.length]).toEqual([[], 1]);
    await pass(1);
    expect(told).toEqual([
      ['acme', 'a', 'b'],
      ['other', 'c'],
    ]);
    await pass(DELAY * 10);
    expect(told).toHaveLength(2);
    await Promise.all(work);
  });

  it('are told at once when there are many, and then begin anew', async () => {
    for (const name of names(USAGE_LIMITS.bufferedSkills - 1)) use(name);
    expect(told).toEqual([]);
    use('last');
    expect(told).toEqual([['acme', ...names(USAGE_LIMITS.bufferedSkills - 1), 'last']]);
    await pass(1);
    use('next');
    await pass(DELAY);
    expect(told.slice(1)).toEqual([['acme', 'next']]);
  });

  it('are one for one skill, the latest', async () => {
    const at: number[] = [];
    buffer = new UseBuffer(
      async (_organisation, uses) => void at.push(...uses.map((each) => each.at)),
      DELAY,
    );
    for (const time of [5, 7, 6]) buffer.record('acme', { layer: 'org', name: 'a', at: time }, waitUntil);
    await pass(DELAY);
    expect(at).toEqual([7]);
  });

  it('of many organisations are not more', async () => {
    let most = 0;
    let open = 0;
    buffer = new UseBuffer(async (_organisation, uses) => {
      open += uses.length;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= uses.length;
    }, DELAY);
    for (let at = 0; at < 5_000; at += 1) {
      use('a', `org-${at}`);
      if (at % USAGE_LIMITS.bufferedSkills === 0) await pass(0);
    }
    expect(most).toBeLessThanOrEqual(USAGE_LIMITS.bufferedSkills * 2);
  });
});

describe('uses that cannot be told', () => {
  it('are told once more', async () => {
    fails = 1;
    use('a');
    await pass(DELAY);
    use('b');
    await pass(DELAY);
    expect(told).toEqual([
      ['acme', 'a'],
      ['acme', 'a', 'b'],
    ]);
    await Promise.all(work);
    expect(logged).toEqual([]);
  });

  it('are given up after that, with a line in the log', async () => {
    fails = 2;
    use('a');
    await pass(DELAY * 3);
    expect(told).toEqual([
      ['acme', 'a'],
      ['acme', 'a'],
    ]);
    await Promise.all(work);
    expect(logged).toEqual([
      { event: 'uses_lost', organisation: 'acme', uses: '1', reason: 'Error: not now' },
    ]);
    use('b');
    await pass(DELAY);
    expect(told.at(-1)).toEqual(['acme', 'b']);
  });

  it('of one organisation do not hold up those of another', async () => {
    fails = 1;
    use('a', 'first');
    use('b', 'second');
    await pass(DELAY * 2);
    expect(told).toEqual([
      ['first', 'a'],
      ['second', 'b'],
      ['first', 'a'],
    ]);
  });

  it('do not pile up', async () => {
    fails = Number.POSITIVE_INFINITY;
    for (let at = 0; at < 500; at += 1) {
      use(`skill-${at}`);
      await pass(0);
    }
    await pass(DELAY * 3);
    expect(Math.max(...told.map((uses) => uses.length - 1))).toBeLessThanOrEqual(USAGE_LIMITS.bufferedSkills);
    const lost = logged.reduce((sum, { uses }) => sum + Number(uses), 0);
    expect(lost).toBe(500);
  });
});

it('what a request left behind that was cut short is told by the next', async () => {
  use('a');
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + DELAY + 1);
  use('b');
  expect(told).toEqual([['acme', 'a']]);
  await pass(DELAY);
  expect(told).toEqual([
    ['acme', 'a'],
    ['acme', 'b'],
  ]);
});
