import { z } from 'zod';

/** What the index needs of SQLite: a Durable Object's storage has it, and Node's own module with a few lines. */
export interface Sql {
  exec(statement: string, ...values: (string | number | null)[]): Iterable<Readonly<Record<string, unknown>>>;
}

/** The rows of a statement, by their schema. */
export function rowsOf<Schema extends z.ZodType>(
  sql: Sql,
  schema: Schema,
  statement: string,
  ...values: (string | number | null)[]
): z.infer<Schema>[] {
  return Array.from(sql.exec(statement, ...values), (row) => schema.parse(row));
}

const Found = z.unknown();

export function isThere(sql: Sql, statement: string, ...values: (string | number | null)[]): boolean {
  return rowsOf(sql, Found, statement, ...values).length > 0;
}
