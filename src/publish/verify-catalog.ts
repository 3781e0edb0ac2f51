import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type Layer, type Space, spaceOf } from '../catalog/layers.ts';
import { areInOrder, isLeafOf, type LeafReference } from '../catalog/leaves.ts';
import type { CatalogRoot, CatalogShard } from '../catalog/merkle-catalog.ts';
import { provenanceProblem } from '../catalog/provenance.ts';
import type { Revision } from '../catalog/revision.ts';
import type { CompiledSkill, SkillContent } from '../compile/compile-skill.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { SHARD } from '../view/find-skill.ts';
import { INDEX } from '../view/read-index.ts';
import { readRoot } from '../view/read-root.ts';
import { REVISION } from '../view/read-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import type { Head } from '../view/view-record.ts';
import { indexFault } from './check-index.ts';
import { compileRow } from './compile-row.ts';
import type { CatalogChanges, HeadMove, PushPorts } from './ports.ts';
import { bySize, readContents, sizeOf } from './read-contents.ts';
import type { ScannedEntry } from './review.ts';

/** Skills compiled between two reads, so that a large push never holds more than this many bodies. */
const BATCH = 100;

interface Verified extends Pick<HeadMove, 'head' | 'changes'> {
  readonly added: readonly ScannedEntry[];
}

/**
 * Checks everything that a catalog says and the one before it did not: the tree is sorted and complete, every blob is
 * there, and every new skill compiles to the very report and row that were pushed. A head can therefore never point at
 * something missing, or at a report that flatters its skill.
 */
export async function verifyCatalog(
  ports: Pick<PushPorts, 'blobs' | 'catalogs'>,
  organisation: string,
  layer: Layer,
  catalog: Digest,
  index: Digest,
  before: Head | null,
): Promise<Result<Verified>> {
  const space = spaceOf(layer, organisation);
  const [root, [listing]] = await Promise.all([
    readRoot(ports.blobs, space, catalog),
    ports.blobs.readDocuments([{ space, digest: index }], INDEX),
  ]);
  if (!root) return fail(invalid(`no catalog root ${catalog}`));
  if (!listing) return fail(invalid(`no listing index ${index}`));
  const rootProblem = checkRoot(root, layer);
  if (rootProblem) return fail(rootProblem);

  const known = new Set(before?.shards.map((shard) => shard.digest));
  const fresh = root.shards.filter((shard) => !known.has(shard.digest));
  const current = new Set(root.shards.map((shard) => shard.digest));
  const replaced = (before?.shards ?? []).filter((shard) => !current.has(shard.digest));
  const wanted = [...fresh, ...replaced].map(({ digest }) => ({ space, digest }));
  const shards = await ports.blobs.readDocuments(wanted, SHARD);
  const freshShards = shards.slice(0, fresh.length);
  const treeProblem = checkTree(root, fresh, freshShards);
  if (treeProblem) return fail(treeProblem);

  const gone = shards.slice(fresh.length).flatMap((shard) => shard?.entries ?? []);
  const old = new Set(gone.map(identity));
  const entries = freshShards.flatMap((shard) => shard?.entries ?? []);
  const added = entries.filter((entry) => !old.has(identity(entry)));
  const wrong = await indexFault(ports.blobs, listing, {
    space,
    root,
    fresh: new Map(fresh.flatMap(({ digest }, at) => (freshShards[at] ? [[digest, freshShards[at]]] : []))),
    before,
  });
  if (wrong) return fail(invalid(wrong));
  const scanned = await checkEntries(ports, organisation, layer, space, added);
  if (!scanned.ok) return scanned;
  return ok({
    head: {
      catalog,
      index,
      pages: listing.pages,
      entries: root.entries,
      shards: root.shards,
      gates: root.gates,
    },
    added: scanned.value,
    changes: changesOf(gone, entries, added),
  });
}

/** What stands in a shard that stays is in neither list: no name moves out of it or into it. */
function changesOf(
  before: readonly CatalogEntry[],
  after: readonly CatalogEntry[],
  fresh: readonly CatalogEntry[],
): CatalogChanges {
  const [old, now] = [new Set(before.map(({ name }) => name)), new Set(after.map(({ name }) => name))];
  const names = fresh.map(({ name }) => name);
  return {
    added: names.filter((name) => !old.has(name)),
    changed: names.filter((name) => old.has(name)),
    removed: [...old].filter((name) => !now.has(name)),
  };
}

/** What a root says by itself. In order, no shard stands in it twice: what is read next is bounded by what it lists. */
function checkRoot(root: CatalogRoot, layer: Layer): Problem | null {
  if (root.layer !== layer) return invalid(`the catalog is one of ${root.layer}`);
  const total = root.shards.reduce((sum, shard) => sum + shard.count, 0);
  if (total !== root.entries) return invalid('the shards do not add up to the number of entries');
  return areInOrder(root.shards) ? null : invalid('the shards are not in name order');
}

function checkTree(
  root: CatalogRoot,
  references: readonly LeafReference[],
  shards: readonly (CatalogShard | null)[],
): Problem | null {
  for (const [index, reference] of references.entries()) {
    const shard = shards[index];
    if (!shard) return invalid(`no shard ${reference.digest}`);
    if (!isLeafOf(root.shards, reference, shard))
      return invalid(`the shard ${reference.digest} is not what the root says of it`);
  }
  return null;
}

async function checkEntries(
  ports: Pick<PushPorts, 'blobs' | 'catalogs'>,
  organisation: string,
  layer: Layer,
  space: Space,
  added: readonly CatalogEntry[],
): Promise<Result<ScannedEntry[]>> {
  const scanned: ScannedEntry[] = [];
  for (let start = 0; start < added.length; start += BATCH) {
    const batch = added.slice(start, start + BATCH);
    const revisions = await ports.blobs.readDocuments(
      batch.map(({ revision }) => ({ space, digest: revision })),
      REVISION,
    );
    const rows = batch.flatMap((entry, at) => (revisions[at] ? [{ entry, revision: revisions[at] }] : []));
    const unread = batch.find((_, at) => !revisions[at]);
    if (unread) return fail(missing(unread));
    const checked = await checkRows(ports.blobs, layer, space, rows);
    if (!checked.ok) return checked;
    scanned.push(...checked.value);
    const digests = [
      ...batch.flatMap((entry) => [entry.revision, entry.report, entry.skillFile.sha256]),
      ...revisions.flatMap((revision) => revision?.files.map((file) => file.sha256) ?? []),
    ];
    const [absent] = await ports.catalogs.missing(layer, organisation, [...new Set(digests)]);
    if (absent)
      return fail({
        code: 'blob_missing',
        detail: `the blob ${absent} was never pushed`,
        hint: 'Push the bundle again from the start.',
      });
  }
  return ok(scanned);
}

interface Row {
  readonly entry: CatalogEntry;
  readonly revision: Revision;
}

/** Compiles rows from their files, a few at a time, since all of a skill is scanned. */
async function checkRows(
  blobs: BlobStore,
  layer: Layer,
  space: Space,
  rows: readonly Row[],
): Promise<Result<ScannedEntry[]>> {
  const scanned: ScannedEntry[] = [];
  for (const part of bySize(rows, BATCH)) {
    const tooLarge = part.find(({ revision }) => sizeOf(revision) > SKILL_LIMITS.totalBytes);
    if (tooLarge)
      return fail(invalid(`${JSON.stringify(tooLarge.entry.name)} is larger than a skill may be`));
    const contents = await readContents(
      blobs,
      space,
      part.map(({ revision }) => revision),
    );
    for (const [at, { entry, revision }] of part.entries()) {
      const files = contents[at];
      if (!files) return fail(missing(entry));
      const checked = checkEntry(layer, entry, revision, files);
      if (!checked.ok) return checked;
      const { verdict, complete } = checked.value.scan;
      scanned.push({ entry, scan: { verdict, complete } });
    }
  }
  return ok(scanned);
}

/**
 * Where a skill was found is its publisher's word, within bounds: never more trust than the layer can have, never listed
 * where its author wants it hidden, and never a name that neither the skill nor its place has.
 */
function checkEntry(
  layer: Layer,
  entry: CatalogEntry,
  revision: Revision,
  contents: readonly SkillContent[],
): Result<CompiledSkill> {
  const wrong = provenanceProblem(layer, entry);
  if (wrong) return fail(invalid(`${JSON.stringify(entry.name)}: ${wrong}`));
  const compiled = compileRow(layer, entry, revision, contents);
  if (!compiled) return fail(invalid(`${JSON.stringify(entry.name)} does not compile to its revision`));
  const { skill, row } = compiled;
  if (!isNameFor(entry, skill.name)) {
    return fail(
      invalid(`${JSON.stringify(entry.name)} is not a name for the skill ${JSON.stringify(skill.name)}`),
    );
  }
  if (canonicalJson(row) === canonicalJson(entry)) return ok(skill);
  return fail({
    ...invalid(`${JSON.stringify(entry.name)} does not compile to its catalog row`),
    hint: 'Build with the same version of Skilledge that the deployment runs, then push again.',
  });
}

/** The skill's own name or that of its folder or file, alone or behind a qualifier; prompts are named by their server. */
function isNameFor({ name, kind, origins }: CatalogEntry, own: string): boolean {
  if (kind === 'mcp-prompt' && name.startsWith('mcp__')) return true;
  const places = origins.map((origin) => origin.slice(origin.lastIndexOf('/') + 1).replace(/\.md$/, ''));
  return [own, ...places].some((candidate) => name === candidate || name.endsWith(`:${candidate}`));
}

function missing(entry: CatalogEntry): Problem {
  return {
    code: 'blob_missing',
    detail: `parts of ${JSON.stringify(entry.name)} were never pushed`,
    hint: 'Push the bundle again from the start.',
  };
}

function invalid(detail: string): Problem {
  return { code: 'push_invalid', detail, hint: 'Build the bundle again, then push it again.' };
}

function identity(entry: CatalogEntry): string {
  return canonicalJson(entry);
}
