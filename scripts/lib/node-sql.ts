import { DatabaseSync } from 'node:sqlite';
import type { Sql } from '../../src/search/sql.ts';

/** Node's SQLite behind the interface that the index needs; a Durable Object's storage has it by itself. */
export function nodeSql(file = ':memory:'): Sql & { close(): void } {
  const database = new DatabaseSync(file);
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  return {
    exec(statement, ...values) {
      const ready = prepared.get(statement) ?? database.prepare(statement);
      prepared.set(statement, ready);
      return ready.all(...values);
    },
    close: () => database.close(),
  };
}
