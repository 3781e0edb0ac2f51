/**
 * What an organisation's object keeps. Heads and settings are the truth; KV has copies of them, which the outbox makes
 * and repeats until they are made.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS heads (layer TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS history (
    layer TEXT NOT NULL, sequence INTEGER NOT NULL, catalog TEXT NOT NULL, listing_index TEXT NOT NULL,
    entries INTEGER NOT NULL, moved_by TEXT NOT NULL, moved_at INTEGER NOT NULL,
    PRIMARY KEY (layer, sequence)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS blobs (digest TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS settings (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS approvals (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, subject TEXT NOT NULL, duration TEXT, session TEXT,
    decided_by TEXT, decided_at INTEGER, expires_at INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS outbox (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS feeds (layer TEXT PRIMARY KEY, organisation TEXT NOT NULL) WITHOUT ROWID`,
] as const;

export function hasSchema(sql: SqlStorage): boolean {
  return (
    sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'outbox'`).toArray().length > 0
  );
}

/** Called by the first write only: reading an organisation that does not exist stores nothing. */
export function createSchema(sql: SqlStorage): void {
  for (const statement of SCHEMA) sql.exec(statement);
}
