import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { layerKind, spaceOf } from '../catalog/layers.ts';
import type { Revision } from '../catalog/revision.ts';
import { Report } from '../compile/report.ts';
import type { SkillPermissions } from '../compile/skill-permissions.ts';
import { ORG_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { SKILL_FILE_NAME, skillBody } from '../format/parse-skill.ts';
import type { FoundSkill } from '../view/find-skill.ts';
import { parseJson } from '../view/json-document.ts';
import { actorOf, type Principal } from '../view/principal.ts';
import { missingBlob, REVISION } from '../view/read-skill.ts';
import { changeSkill, standingEntry } from './change-skill.ts';
import { compileRow } from './compile-row.ts';
import { installPermissions } from './permissions.ts';
import type { NewBlob, PushPorts } from './ports.ts';
import { mayPush } from './push.ts';
import { type QuarantineQuery, type QuarantineRecord, unknownHeld } from './quarantine.ts';
import { readContents } from './read-contents.ts';

export interface QuarantinePage {
  readonly records: readonly QuarantineRecord[];
  /** The last of them, where there are more. */
  readonly next: number | null;
}

/** What is held, or was decided about, in the layers that this token may know of, the newest first. */
export async function listHeld(
  ports: Pick<PushPorts, 'quarantine'>,
  principal: Principal,
  query: Pick<QuarantineQuery, 'status' | 'before'>,
): Promise<Result<QuarantinePage>> {
  const { organisation, layers } = principal;
  const limit = ORG_LIMITS.quarantinePage;
  const found = await ports.quarantine.list(organisation, { ...query, layers, limit: limit + 1 });
  const records = found.slice(0, limit);
  return ok({ records, next: found.length > limit ? (records.at(-1)?.sequence ?? null) : null });
}

/** A held skill that this token may know of; else there is none. */
export async function findHeld(
  ports: Pick<PushPorts, 'quarantine'>,
  principal: Principal,
  id: string,
): Promise<Result<QuarantineRecord>> {
  const record = await ports.quarantine.read(principal.organisation, id);
  const bounds = principal.layers;
  return record && (bounds === null || bounds.includes(record.layer)) ? ok(record) : fail(unknownHeld());
}

/** Where the files of a held skill lie. */
export function heldSkill({ layer, entry }: QuarantineRecord, { organisation }: Principal): FoundSkill {
  return { layer: { layer, space: spaceOf(layer, organisation) }, entry };
}

export interface HeldDetails {
  readonly record: QuarantineRecord;
  readonly revision: Revision;
  readonly report: Report;
  readonly permissions: SkillPermissions;
  /** What stands under its name now; null: nothing. */
  readonly standing: CatalogEntry | null;
}

/** All that a person should see before an answer. */
export async function describeHeld(
  ports: PushPorts,
  principal: Principal,
  id: string,
): Promise<Result<HeldDetails>> {
  const record = await findHeld(ports, principal, id);
  if (!record.ok) return record;
  const { layer, entry } = record.value;
  const [compiled, view] = await Promise.all([
    compileHeld(ports, principal, record.value),
    ports.catalogs.view(layer, principal.organisation),
  ]);
  if (!compiled.ok) return compiled;
  const { revision, report, body } = compiled.value;
  const standing = await standingEntry(ports, principal, view, { name: entry.name });
  if (!standing.ok) return standing;
  const permissions = installPermissions(report.fields, body);
  return ok({ record: record.value, revision, report, permissions, standing: standing.value });
}

/** From its files: by now, the deployment may compile the same revision to another report. */
async function compileHeld(ports: PushPorts, principal: Principal, record: QuarantineRecord) {
  const { layer, entry } = record;
  const { space } = heldSkill(record, principal).layer;
  const [revision] = await ports.blobs.readDocuments([{ space, digest: entry.revision }], REVISION);
  const [contents] = revision ? await readContents(ports.blobs, space, [revision]) : [];
  const compiled = revision && contents ? compileRow(layer, entry, revision, contents) : null;
  const report = compiled && parseJson(Report, compiled.skill.report.text);
  const skillFile = contents?.find(({ path }) => path === SKILL_FILE_NAME);
  if (!revision || !compiled || !report || !skillFile) return fail(missingBlob());
  return ok({ ...compiled, revision, report, body: skillBody(skillFile.bytes) });
}

/** Lets a held revision in: remembered for every later push of it, and published in its layer now. */
export async function acceptHeld(
  ports: PushPorts,
  principal: Principal,
  id: string,
): Promise<Result<QuarantineRecord>> {
  const held = await findHeld(ports, principal, id);
  if (!held.ok) return held;
  const { organisation } = principal;
  const { layer } = held.value;
  const refused = layerKind(layer) === 'bundled' ? mayPush(principal, layer) : null;
  if (refused) return fail(refused);
  const accepted = await ports.quarantine.decide(organisation, {
    id,
    status: 'accepted',
    by: actorOf(principal),
  });
  // Once more would bring it back over whatever was published since.
  if (!accepted.ok || accepted.value.catalog !== null) return accepted;
  const catalog = await publishHeld(ports, principal, accepted.value);
  if (!catalog.ok) return catalog;
  if (catalog.value !== null) await ports.quarantine.published(organisation, id, catalog.value);
  return ok({ ...accepted.value, catalog: catalog.value });
}

/** Keeps a held revision out: a later push of it is refused without a question. What is published already stays. */
export async function rejectHeld(
  ports: PushPorts,
  principal: Principal,
  id: string,
): Promise<Result<QuarantineRecord>> {
  const held = await findHeld(ports, principal, id);
  if (!held.ok) return held;
  return ports.quarantine.decide(principal.organisation, { id, status: 'rejected', by: actorOf(principal) });
}

async function publishHeld(ports: PushPorts, principal: Principal, record: QuarantineRecord) {
  const compiled = await compileHeld(ports, principal, record);
  if (!compiled.ok) return compiled;
  const { row, skill } = compiled.value;
  const blobs = [skill.revision, skill.report].map(({ digest, text }): NewBlob => ({
    digest,
    bytes: new TextEncoder().encode(text),
    tier: 'hot',
  }));
  const { layer, flag } = record;
  const change = { layer, name: row.name, entry: row, flag, blobs, force: false };
  const changed = await changeSkill(ports, principal, change);
  return changed.ok ? ok(changed.value.record.head?.catalog ?? null) : changed;
}
