import { z } from 'zod';
import { SECRET_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { SecretInfo } from '../secret/secret.ts';
import { parseJson } from '../view/json-document.ts';

/** A secret as it is kept, and as it leaves the object: sealed. */
export interface SealedSecret extends SecretInfo {
  readonly sealed: Uint8Array;
}

const Origins = z.array(z.string()).nullable();
const SecretRow = z
  .strictObject({
    name: z.string(),
    origins: z.string(),
    sealed: z.instanceof(ArrayBuffer),
    updated_by: z.string(),
    updated_at: z.number(),
  })
  .transform(({ name, origins, sealed, updated_by: updatedBy, updated_at: updatedAt }): SealedSecret => ({
    name,
    origins: parseJson(Origins, origins),
    sealed: new Uint8Array(sealed),
    updatedBy,
    updatedAt: new Date(updatedAt).toISOString(),
  }));

const COLUMNS = 'name, origins, sealed, updated_by, updated_at';

/** `secret_limit` where the organisation has as many as it may. */
export function putSecret(sql: SqlStorage, secret: SealedSecret): Result<null> {
  const { name, origins, sealed, updatedBy, updatedAt } = secret;
  const others = sql
    .exec<{ count: number }>('SELECT count(*) AS count FROM secrets WHERE name <> ?', name)
    .one();
  if (others.count >= SECRET_LIMITS.secrets) {
    return fail({
      code: 'secret_limit',
      detail: `the organisation has ${others.count} secrets already`,
      hint: 'Delete one that nothing needs.',
    });
  }
  sql.exec(
    `INSERT OR REPLACE INTO secrets (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`,
    name,
    JSON.stringify(origins),
    sealed,
    updatedBy,
    Date.parse(updatedAt),
  );
  return ok(null);
}

export function readSecret(sql: SqlStorage, name: string): SealedSecret | null {
  const [row] = sql.exec(`SELECT ${COLUMNS} FROM secrets WHERE name = ?`, name).toArray();
  return row === undefined ? null : SecretRow.parse(row);
}

export function removeSecret(sql: SqlStorage, name: string): void {
  sql.exec('DELETE FROM secrets WHERE name = ?', name);
}

export function listSecrets(sql: SqlStorage): SecretInfo[] {
  const rows = z.array(SecretRow).parse(sql.exec(`SELECT ${COLUMNS} FROM secrets ORDER BY name`).toArray());
  return rows.map(({ name, origins, updatedBy, updatedAt }) => ({ name, origins, updatedBy, updatedAt }));
}
