import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { RunEventBody } from '../../src/invoke/runs/run-event.ts';
import { EVENTS_SCHEMA, EventTable } from '../../src/run/event-table.ts';

function said(step: number, characters = 5): RunEventBody {
  return { type: 'text', step, text: 'x'.repeat(characters) };
}

const SHORT = [said(0), said(1), said(2)];
const HALF = [said(3, RUN_LIMITS.recentEventCharacters / 2)];
const LONG = [said(4, RUN_LIMITS.recentEventCharacters), said(5)];

describe('events are the same from memory as from storage', () => {
  it.each([
    ['few', [SHORT, [said(6)]]],
    ['more than is kept in memory', [SHORT, HALF, SHORT, HALF, SHORT]],
    ['a batch that is longer than that', [SHORT, LONG, SHORT]],
    ['such a batch at the end', [SHORT, LONG]],
  ])('%s', async (name, batches) => {
    await runInDurableObject(env.RUN.getByName(`event-table/${name}`), (_object, { storage }) => {
      storage.sql.exec(EVENTS_SCHEMA);
      const table = new EventTable(storage.sql);
      table.create();
      batches.forEach((batch, at) => storage.transactionSync(() => table.append(batch, at)));
      const count = batches.flat().length;
      expect(table.last).toBe(count);
      for (let after = 0; after <= count + 1; after += 1)
        for (const limit of [1, 2, count])
          expect(table.read(after, limit)).toEqual(new EventTable(storage.sql).read(after, limit));
    });
  });

  it('also behind a transaction that was rolled back', async () => {
    await runInDurableObject(env.RUN.getByName('event-table/rolled-back'), (_object, { storage }) => {
      storage.sql.exec(EVENTS_SCHEMA);
      const table = new EventTable(storage.sql);
      table.create();
      table.append(SHORT, 1);
      expect(() =>
        storage.transactionSync(() => {
          table.append(HALF, 2);
          throw new Error('rolled back');
        }),
      ).toThrow('rolled back');
      table.forget();
      table.append([said(9)], 3);
      expect(table.read(0, 10)).toEqual(new EventTable(storage.sql).read(0, 10));
      expect(table.read(0, 10)).toHaveLength(SHORT.length + 1);
    });
  });
});
