import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

/** An object that does nothing but write one row. */
export class RowObject extends DurableObject {
  readonly #sql = withTable(this.ctx.storage.sql);

  write(): void {
    this.#sql.exec('INSERT OR REPLACE INTO row (id, at) VALUES (1, ?)', Date.now());
  }
}

function withTable(sql: SqlStorage): SqlStorage {
  sql.exec('CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, at INTEGER)');
  return sql;
}

interface Bindings {
  readonly ROW: DurableObjectNamespace<RowObject>;
}

/** What everything is compared with: the same router in the same process, and nothing to do, or one row to write. */
export default new Hono<{ Bindings: Bindings }>()
  .get('/', (context) => context.text('hello'))
  .get('/write', async (context) => {
    await context.env.ROW.getByName('row').write();
    return context.text('written');
  });
