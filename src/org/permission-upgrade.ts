import { layerKind, REMOTE_LAYER, spaceOf } from '../catalog/layers.ts';
import type { ApprovalQuestion } from '../invoke/approval.ts';
import { permissionsOf } from '../compile/skill-permissions.ts';
import { compareSkillPermissions, type PermissionUpgrade } from '../invoke/permission-upgrade.ts';
import { blobStore } from '../store/blob-store.ts';
import { ownerName } from '../store/keys.ts';
import { REPORT } from '../view/read-skill.ts';
import { approvedBefore, publishedBefore } from './revision-table.ts';

/** How what is asked about differs from what was approved, or else published, before; null where there is no such thing. */
export async function permissionUpgrade(
  sql: SqlStorage,
  env: Env,
  organisation: string,
  { subject, permissions }: ApprovalQuestion,
): Promise<PermissionUpgrade | null> {
  const { layer, revision } = subject;
  const approved = approvedBefore(sql, subject, revision);
  if (approved) {
    const changes = compareSkillPermissions(approved.permissions, permissions);
    return { from: approved.revision, approved: true, ...changes };
  }
  if (layer === REMOTE_LAYER) return null;
  const published =
    layerKind(layer) === 'bundled'
      ? await env.ORG.getByName(ownerName(layer, organisation)).publishedBefore(subject, revision)
      : publishedBefore(sql, subject, revision);
  if (!published) return null;
  const wanted = { space: spaceOf(layer, organisation), digest: published.report };
  const [report] = await blobStore(env).readDocuments([wanted], REPORT);
  if (!report) return null;
  const changes = compareSkillPermissions(permissionsOf(report.fields), permissions);
  return { from: published.revision, approved: false, ...changes };
}
