/**
 * What an organisation's object keeps. Heads, settings and rules are the truth; KV has copies of them, which the outbox makes
 * and repeats until they are made. Of uses there is a count for each skill and the time of the last, and nothing about who
 * used it or for what. Secrets are sealed before they come here. The audit log says who changed what, and only grows at
 * its end.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS heads (layer TEXT PRIMARY KEY, head TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS history (
    layer TEXT NOT NULL, sequence INTEGER NOT NULL, catalog TEXT NOT NULL, listing_index TEXT NOT NULL,
    entries INTEGER NOT NULL, moved_by TEXT NOT NULL, moved_at INTEGER NOT NULL,
    PRIMARY KEY (layer, sequence)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS layer_blobs (
    layer TEXT NOT NULL, digest TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (layer, digest)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS settings (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS policies (layer TEXT PRIMARY KEY, revision INTEGER NOT NULL, rules TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS approvals (
    id TEXT PRIMARY KEY, status TEXT NOT NULL, subject TEXT NOT NULL, duration TEXT, session TEXT,
    decided_by TEXT, decided_at INTEGER, expires_at INTEGER NOT NULL, asked_at INTEGER NOT NULL DEFAULT 0,
    permissions TEXT, upgrade TEXT) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS revisions (
    layer TEXT NOT NULL, skill TEXT NOT NULL, revision TEXT, report TEXT, earlier TEXT,
    earlier_report TEXT, approved TEXT, permissions TEXT, PRIMARY KEY (layer, skill)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS quarantine (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, layer TEXT NOT NULL, publisher TEXT NOT NULL,
    skill TEXT NOT NULL, status TEXT NOT NULL, held_at INTEGER NOT NULL, decided_by TEXT, decided_at INTEGER,
    catalog TEXT, expires_at INTEGER NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS quarantine_by_status ON quarantine (status, sequence)`,
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
  `CREATE TABLE IF NOT EXISTS audit (
    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, digest TEXT NOT NULL, line TEXT NOT NULL, report TEXT)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS audit_reports ON audit (report) WHERE report IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS audit_denials (key TEXT, at INTEGER, PRIMARY KEY (key, at)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS audit_unrecorded (id INTEGER PRIMARY KEY CHECK (id = 1), denials INTEGER NOT NULL)`,
] as const;

/** What tables from before did not have. */
const COLUMNS = [
  ['approvals', 'asked_at', 'INTEGER NOT NULL DEFAULT 0'],
  ['approvals', 'permissions', 'TEXT'],
  ['approvals', 'upgrade', 'TEXT'],
] as const;

/** Blobs were once told apart by nothing: each may be of any layer that was there then. */
const BLOBS_OF_ALL = [
  'INSERT OR IGNORE INTO layer_blobs SELECT layer, digest, size FROM heads, blobs',
  'DROP TABLE blobs',
] as const;

export function hasSchema(sql: SqlStorage): boolean {
  return (
    sql.exec(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'outbox'`).toArray().length > 0
  );
}

/**
 * Called by the first write: reading an organisation that does not exist stores nothing.
 */
export function createSchema(sql: SqlStorage): void {
  if (!hasSchema(sql)) createTables(sql);
}

function createTables(sql: SqlStorage): void {
  for (const statement of SCHEMA) sql.exec(statement);
}

/** Gives what an organisation has from before everything that was thought of since. */
export function migrateSchema(sql: SqlStorage): void {
  createTables(sql);
  for (const [table, column, type] of COLUMNS) {
    const there = sql.exec('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table, column).toArray();
    if (there.length === 0) sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  }
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'blobs'").toArray().length > 0)
    for (const statement of BLOBS_OF_ALL) sql.exec(statement);
}
