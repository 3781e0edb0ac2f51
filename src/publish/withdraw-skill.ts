import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { unknownSkill } from '../view/find-skill.ts';
import type { Principal } from '../view/principal.ts';
import type { ViewRecord } from '../view/view-record.ts';
import { changeSkill, standingEntry } from './change-skill.ts';
import type { PushPorts } from './ports.ts';

export interface Withdrawal {
  readonly layer: Layer;
  readonly name: string;
  readonly expected?: Digest | undefined;
}

export interface Withdrawn {
  readonly record: ViewRecord;
  readonly before: CatalogEntry;
}

/** Takes one skill out of its layer. Its revisions stay readable by those who know them. */
export async function withdrawSkill(
  ports: PushPorts,
  principal: Principal,
  skill: Withdrawal,
): Promise<Result<Withdrawn>> {
  const change = { ...skill, entry: null, blobs: [], force: false };
  const changed = await changeSkill(ports, principal, change);
  if (!changed.ok) return changed;
  const { record, before } = changed.value;
  return before ? ok({ record, before }) : fail(unknownSkill(skill.name));
}

/** What `withdrawSkill` would take out, and of where; stores nothing. */
export async function rehearseWithdrawal(
  ports: PushPorts,
  principal: Principal,
  skill: Withdrawal,
): Promise<Result<Withdrawn>> {
  const record = await ports.catalogs.view(skill.layer, principal.organisation);
  const before = await standingEntry(ports, principal, record, skill);
  if (!before.ok) return before;
  return before.value ? ok({ record, before: before.value }) : fail(unknownSkill(skill.name));
}
