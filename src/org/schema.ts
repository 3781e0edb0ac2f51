/**
 * What an organisation's object keeps. Heads and settings are the truth; KV has copies of them, which the outbox makes
 * and repeats until they are made. Of uses there is a count for each skill and the time of the last, and nothing about who
 * used it or for what. Secrets are sealed before they come here.
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
  `CREATE TABLE IF NOT EXISTS secrets (
    name TEXT PRIMARY KEY, origins TEXT NOT NULL, sealed BLOB NOT NULL, updated_by TEXT NOT NULL,
    updated_at INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS outbox (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS feeds (layer TEXT PRIMARY KEY, organisation TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS usage (
    layer TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, used_at INTEGER NOT NULL,
    PRIMARY KEY (layer, name)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS runs (
    position TEXT PRIMARY KEY, bounds TEXT NOT NULL, ended_at INTEGER, run TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS usage_snapshot (
    id INTEGER PRIMARY KEY CHECK (id = 1), organisation TEXT NOT NULL, made_at INTEGER NOT NULL, value TEXT NOT NULL)`,
] as const;

export function hasSchema(sql: SqlStorage): boolean {
  return (
    sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'outbox'`).toArray().length > 0
  );
}

/**
 * Called by the first write, and where there is an older schema: reading an organisation that does not exist stores
 * nothing.
 */
export function createSchema(sql: SqlStorage): void {
  for (const statement of SCHEMA) sql.exec(statement);
}
