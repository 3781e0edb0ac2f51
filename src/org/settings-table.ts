import { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import { parseJson } from '../view/json-document.ts';
import type { StoredSettings } from '../view/ports.ts';
import { OrgSettings } from '../view/settings/org-settings.ts';

const SettingsRow = z.object({ revision: z.number(), value: z.string() });

export function readSettings(sql: SqlStorage): StoredSettings {
  const [row] = sql.exec('SELECT revision, value FROM settings WHERE id = 1').toArray();
  if (row === undefined) return { revision: 0, settings: null };
  const { revision, value } = SettingsRow.parse(row);
  return { revision, settings: parseJson(OrgSettings, value) };
}

/** `expected`: the revision that the change was made from; null: whatever there is. In a transaction. */
export function putSettings(
  sql: SqlStorage,
  before: StoredSettings,
  settings: OrgSettings,
  expected: number | null,
): Result<StoredSettings> {
  if (expected !== null && expected !== before.revision) {
    return fail({
      code: 'settings_conflict',
      detail: 'the settings were changed since they were read',
      hint: 'Read them again, and send the change with the new ETag.',
      data: { revision: before.revision },
    });
  }
  const revision = before.revision + 1;
  sql.exec(
    'INSERT OR REPLACE INTO settings (id, revision, value) VALUES (1, ?, ?)',
    revision,
    JSON.stringify(settings),
  );
  return ok({ revision, settings });
}
