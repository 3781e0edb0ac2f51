import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { z } from 'zod';

/** A KV namespace as Miniflare keeps it on disk: an SQLite file of keys, and each value in a file of its own. */
export interface KvFile {
  put(key: string, value: Uint8Array | string): void;
  /** What was put here, after closing as well. */
  get(key: string): Uint8Array;
  close(): void;
}

const MARK = 'mark';
const Row = z.object({ blob_id: z.string() });

/**
 * Opens a namespace for writing without Miniflare, which would take ten minutes over what 100,000 skills are. It must be
 * closed before Miniflare is started over the same folder. Overwriting is not provided for.
 */
export async function openKvFile(state: string, namespace: string): Promise<KvFile> {
  // Miniflare itself makes the files, so that they only have to be found.
  const script = 'export default { fetch: () => new Response() };';
  const worker = { name: 'mark', modules: true as const, script, kvNamespaces: { KV: namespace } };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ cf: false, resourcePersistencePath: state, workers: [worker] }),
  );
  await (await miniflare.getKVNamespace('KV', 'mark')).put(MARK, namespace);
  await miniflare.dispose();

  const values = join(state, 'kv', namespace, 'blobs');
  const database = findDatabase(join(state, 'kv'), values);
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const insert = database.prepare('INSERT INTO _mf_entries (key, blob_id) VALUES (?, ?)');
  const ids = new Map<string, string>();
  return {
    put(key, value) {
      const id = `seed-${ids.size}`;
      ids.set(key, id);
      writeFileSync(join(values, id), value);
      insert.run(key, id);
    },
    get(key) {
      const id = ids.get(key);
      if (id === undefined) throw new Error(`never put: ${key}`);
      return readFileSync(join(values, id));
    },
    close() {
      database.exec('COMMIT');
      database.close();
    },
  };
}

/** Which of the files has the namespace whose values lie in this folder. */
function findDatabase(folder: string, values: string): DatabaseSync {
  for (const file of globSync(join(folder, '*', '*.sqlite'))) {
    const database = new DatabaseSync(file);
    const isNamespace = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get('_mf_entries');
    const mark = isNamespace && database.prepare('SELECT blob_id FROM _mf_entries WHERE key = ?').get(MARK);
    if (mark && existsSync(join(values, Row.parse(mark).blob_id))) return database;
    database.close();
  }
  throw new Error('Miniflare keeps its KV namespaces in another way than this benchmark knows');
}
