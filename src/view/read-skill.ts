import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { Revision, type SkillFile } from '../catalog/revision.ts';
import { Report } from '../compile/report.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { skillBody } from '../format/parse-skill.ts';
import type { FoundSkill } from './find-skill.ts';
import { documentKind } from './json-document.ts';
import type { BlobStore } from './ports.ts';

export const REVISION = documentKind(Revision);
export const REPORT = documentKind(Report);

export interface SkillDetails {
  readonly revision: Revision;
  readonly report: Report;
}

/** The revision's files and the report, in one round. */
export async function readDetails(blobs: BlobStore, found: FoundSkill): Promise<Result<SkillDetails>> {
  const { space } = found.layer;
  const [[revision], [report]] = await Promise.all([
    blobs.readDocuments([{ space, digest: found.entry.revision }], REVISION),
    blobs.readDocuments([{ space, digest: found.entry.report }], REPORT),
  ]);
  return revision && report ? ok({ revision, report }) : fail(missingBlob());
}

interface SkillBody {
  /** The Markdown body, without the frontmatter. */
  readonly text: string;
  /** The same in UTF-8. */
  readonly bytes: Uint8Array;
}

/** Bodies remembered for as long as the SKILL.md is. */
const bodies = new WeakMap<Uint8Array, SkillBody>();

export async function readBody(blobs: BlobStore, found: FoundSkill): Promise<Result<SkillBody>> {
  const { sha256, size } = found.entry.skillFile;
  const [file] = await blobs.readMany([{ space: found.layer.space, digest: sha256, size }]);
  if (!file) return fail(missingBlob());
  const known = bodies.get(file);
  if (known) return ok(known);
  const text = skillBody(file);
  const body = { text, bytes: new TextEncoder().encode(text) };
  bodies.set(file, body);
  return ok(body);
}

/** A report with the body, in one round: what an invocation needs. */
export async function readForInvocation(
  blobs: BlobStore,
  found: FoundSkill,
): Promise<Result<SkillDetails & { body: string }>> {
  const [details, body] = await Promise.all([readDetails(blobs, found), readBody(blobs, found)]);
  if (!details.ok) return details;
  return body.ok ? ok({ ...details.value, body: body.value.text }) : body;
}

/**
 * Where one file of a skill lies. The path is looked up among the revision's files and nowhere else, so that no
 * spelling of a path can reach outside of them.
 */
export async function findFile(
  blobs: BlobStore,
  found: FoundSkill,
  path: string,
): Promise<Result<SkillFile>> {
  const [revision] = await blobs.readDocuments(
    [{ space: found.layer.space, digest: found.entry.revision }],
    REVISION,
  );
  if (!revision) return fail(missingBlob());
  const file = revision.files.find((candidate) => candidate.path === path);
  if (file) return ok(file);
  return fail({
    code: 'not_found',
    detail: 'the skill has no such file',
    hint: `GET /v1/skills/${encodeURIComponent(found.entry.name)} lists its files.`,
  });
}

export async function readFileBytes(
  blobs: BlobStore,
  found: FoundSkill,
  file: SkillFile,
): Promise<Result<Uint8Array>> {
  const tier = file.sha256 === found.entry.skillFile.sha256 ? 'hot' : 'cold';
  const [bytes] = await blobs.readMany([
    { space: found.layer.space, digest: file.sha256, size: file.size, tier },
  ]);
  return bytes ? ok(bytes) : fail(missingBlob());
}

/** The entity tag of a digest: the digest itself, quoted. */
export function entityTag(digest: Digest): string {
  return `"${digest}"`;
}

const entryTags = new WeakMap<CatalogEntry, string>();

/** The entity tag of all that a catalog says of a skill: where it was found can change while its files do not. */
export function entryTag(entry: CatalogEntry): string {
  const tag = entryTags.get(entry) ?? entityTag(digestOf(canonicalJson(entry)));
  entryTags.set(entry, tag);
  return tag;
}

export function missingBlob(): Problem {
  return {
    code: 'storage_unavailable',
    detail: 'a part of this skill cannot be read now',
    hint: 'Try again in a few seconds; if it stays so, push the layer again.',
  };
}
