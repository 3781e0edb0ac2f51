import { z } from 'zod';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { DigestSchema } from '../catalog/revision.ts';
import type { Digest } from '../core/digest.ts';
import type { ApprovalSubject } from '../invoke/approval.ts';
import { SkillPermissions } from '../compile/skill-permissions.ts';
import { parseJson } from '../view/json-document.ts';

const PublishedRow = z.object({
  revision: DigestSchema.nullable(),
  report: DigestSchema.nullable(),
  earlier: DigestSchema.nullable(),
  earlier_report: DigestSchema.nullable(),
});
const ApprovedRow = z.object({ approved: z.string().nullable(), permissions: z.string().nullable() });
type Skill = Pick<ApprovalSubject, 'layer' | 'skill'>;

/** Notes, in the transaction that publishes it, the revision of a skill and the one before. */
export function notePublished(sql: SqlStorage, layer: string, entry: CatalogEntry): void {
  sql.exec(
    `INSERT INTO revisions (layer, skill, revision, report) VALUES (?, ?, ?, ?)
      ON CONFLICT (layer, skill) DO UPDATE SET earlier = revision, earlier_report = report,
        revision = excluded.revision, report = excluded.report
      WHERE revision IS NOT excluded.revision`,
    layer,
    entry.name,
    entry.revision,
    entry.report,
  );
}

/** The revision that was published before this one, with its report. */
export function publishedBefore(
  sql: SqlStorage,
  { layer, skill }: Skill,
  revision: string,
): { readonly revision: Digest; readonly report: Digest } | null {
  const [found] = sql
    .exec(
      'SELECT revision, report, earlier, earlier_report FROM revisions WHERE layer = ? AND skill = ?',
      layer,
      skill,
    )
    .toArray();
  if (found === undefined) return null;
  const row = PublishedRow.parse(found);
  // Of a past revision nobody knows here what came before it.
  if (row.revision !== revision || row.earlier === null || row.earlier_report === null) return null;
  return { revision: row.earlier, report: row.earlier_report };
}

/** Notes what a person said yes to, in the transaction that decides. */
export function noteApproved(
  sql: SqlStorage,
  { layer, skill, revision }: ApprovalSubject,
  permissions: SkillPermissions,
): void {
  sql.exec(
    `INSERT INTO revisions (layer, skill, approved, permissions) VALUES (?, ?, ?, ?)
      ON CONFLICT (layer, skill) DO UPDATE SET approved = excluded.approved, permissions = excluded.permissions`,
    layer,
    skill,
    revision,
    JSON.stringify(permissions),
  );
}

/** The last revision that was approved, where it is another one. */
export function approvedBefore(
  sql: SqlStorage,
  { layer, skill }: Skill,
  revision: string,
): { readonly revision: string; readonly permissions: SkillPermissions } | null {
  const [found] = sql
    .exec('SELECT approved, permissions FROM revisions WHERE layer = ? AND skill = ?', layer, skill)
    .toArray();
  if (found === undefined) return null;
  const { approved, permissions } = ApprovedRow.parse(found);
  const shown = permissions === null ? null : parseJson(SkillPermissions, permissions);
  return approved === null || approved === revision || shown === null
    ? null
    : { revision: approved, permissions: shown };
}
