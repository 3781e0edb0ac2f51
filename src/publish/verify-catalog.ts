import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type Layer, type Space, spaceOf } from '../catalog/layers.ts';
import { provenanceProblem } from '../catalog/provenance.ts';
import type { CatalogRoot, CatalogShard, ShardReference } from '../catalog/merkle-catalog.ts';
import type { Revision, SkillFile } from '../catalog/revision.ts';
import { catalogEntry, compileSkill, type SkillContent } from '../compile/compile-skill.ts';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { countPieces, headPieces } from '../listing/counted-pieces.ts';
import { printedHead } from '../listing/listing-entry.ts';
import { ROOT, SHARD } from '../view/find-skill.ts';
import { INDEX } from '../view/list-skills.ts';
import { REVISION } from '../view/read-skill.ts';
import type { Head } from '../view/view-record.ts';
import { indexFault } from './check-index.ts';
import { claimedCounter } from './claimed-counter.ts';
import type { HeadMove, PushPorts } from './ports.ts';

/** Skills compiled between two reads, so that a large push never holds more than this many bodies. */
const BATCH = 100;

type Verified = Pick<HeadMove, 'head' | 'added'>;

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
  const [[root], [listing]] = await Promise.all([
    ports.blobs.readDocuments([{ space, digest: catalog }], ROOT),
    ports.blobs.readDocuments([{ space, digest: index }], INDEX),
  ]);
  if (!root) return fail(invalid(`no catalog root ${catalog}`));
  if (!listing) return fail(invalid(`no listing index ${index}`));
  if (root.layer !== layer) return fail(invalid(`the catalog is one of ${root.layer}`));

  const known = new Set(before?.shards.map((shard) => shard.digest));
  const fresh = root.shards.filter((shard) => !known.has(shard.digest));
  const current = new Set(root.shards.map((shard) => shard.digest));
  const replaced = (before?.shards ?? []).filter((shard) => !current.has(shard.digest));
  const wanted = [...fresh, ...replaced].map(({ digest }) => ({ space, digest }));
  const [shards, [indexBefore]] = await Promise.all([
    ports.blobs.readDocuments(wanted, SHARD),
    ports.blobs.readDocuments(before ? [{ space, digest: before.index }] : [], INDEX),
  ]);
  const freshShards = shards.slice(0, fresh.length);
  const treeProblem = checkTree(root, fresh, freshShards);
  if (treeProblem) return fail(treeProblem);

  const old = new Set(shards.slice(fresh.length).flatMap((shard) => shard?.entries.map(identity) ?? []));
  const entries = freshShards.flatMap((shard) => shard?.entries ?? []);
  const added = entries.filter((entry) => !old.has(identity(entry)));
  const wrong = await indexFault(ports.blobs, listing, {
    space,
    root,
    fresh: new Map(fresh.flatMap(({ digest }, at) => (freshShards[at] ? [[digest, freshShards[at]]] : []))),
    before: indexBefore ?? null,
  });
  const problem = wrong ? invalid(wrong) : await checkEntries(ports, organisation, layer, space, added);
  if (problem) return fail(problem);
  return ok({
    head: { catalog, index, entries: root.entries, shards: root.shards, gates: root.gates },
    added,
  });
}

function checkTree(
  root: CatalogRoot,
  references: readonly ShardReference[],
  shards: readonly (CatalogShard | null)[],
): Problem | null {
  const total = root.shards.reduce((sum, shard) => sum + shard.count, 0);
  if (total !== root.entries) return invalid('the shards do not add up to the number of entries');
  const firsts = root.shards.map((shard) => shard.first);
  if (firsts.some((first, index) => index > 0 && byCodeUnit(firsts[index - 1] ?? '', first) >= 0)) {
    return invalid('the shards are not in name order');
  }
  for (const [index, reference] of references.entries()) {
    const shard = shards[index];
    if (!shard) return invalid(`no shard ${reference.digest}`);
    const names = shard.entries.map((entry) => entry.name);
    const next = root.shards[root.shards.indexOf(reference) + 1]?.first;
    const sorted = names.every(
      (name, position) => position === 0 || byCodeUnit(names[position - 1] ?? '', name) < 0,
    );
    const bounded = next === undefined || byCodeUnit(names.at(-1) ?? '', next) < 0;
    if (names[0] !== reference.first || names.length !== reference.count || !sorted || !bounded) {
      return invalid(`the shard ${reference.digest} is not what the root says of it`);
    }
  }
  return null;
}

async function checkEntries(
  ports: Pick<PushPorts, 'blobs' | 'catalogs'>,
  organisation: string,
  layer: Layer,
  space: Space,
  added: readonly CatalogEntry[],
): Promise<Problem | null> {
  for (let start = 0; start < added.length; start += BATCH) {
    const batch = added.slice(start, start + BATCH);
    const revisions = await ports.blobs.readDocuments(
      batch.map(({ revision }) => ({ space, digest: revision })),
      REVISION,
    );
    const pairs: Published[] = [];
    for (const [index, entry] of batch.entries()) {
      const revision = revisions[index];
      if (!revision) return missing(entry);
      pairs.push({ entry, revision });
    }
    for (const group of bySize(pairs)) {
      const contents = await readContents(ports.blobs, space, group);
      for (const [index, { entry, revision }] of group.entries()) {
        const files = contents[index];
        const problem = files ? checkEntry(layer, entry, revision, files) : missing(entry);
        if (problem) return problem;
      }
    }
    const digests = [
      ...batch.flatMap((entry) => [entry.revision, entry.report, entry.skillFile.sha256]),
      ...revisions.flatMap((revision) => revision?.files.map((file) => file.sha256) ?? []),
    ];
    const [absent] = await ports.catalogs.missing(layer, organisation, [...new Set(digests)]);
    if (absent)
      return {
        code: 'blob_missing',
        detail: `the blob ${absent} was never pushed`,
        hint: 'Push the bundle again from the start.',
      };
  }
  return null;
}

interface Published {
  readonly entry: CatalogEntry;
  readonly revision: Revision;
}

/** Groups of skills whose files are read at once: as many as one skill may be large, or one skill. */
function bySize(skills: readonly Published[]): Published[][] {
  const groups: Published[][] = [];
  let room = 0;
  for (const skill of skills) {
    const size = skill.revision.files.reduce((sum, file) => sum + file.size, 0);
    const group = groups.at(-1);
    if (group && size <= room) group.push(skill);
    else groups.push([skill]);
    room = (group && size <= room ? room : SKILL_LIMITS.totalBytes) - size;
  }
  return groups;
}

/** Every file of some skills, since a report says what a scan of all of them found; null where one is not there. */
async function readContents(
  blobs: PushPorts['blobs'],
  space: Space,
  group: readonly Published[],
): Promise<(SkillContent[] | null)[]> {
  const wanted = group.flatMap(({ entry, revision }) =>
    revision.files.map(({ sha256, size }) => {
      const tier = sha256 === entry.skillFile.sha256 ? ('hot' as const) : ('cold' as const);
      return { space, digest: sha256, size, tier, once: tier === 'cold' };
    }),
  );
  const read = (await blobs.readMany(wanted)).values();
  return group.map(({ revision }) => {
    const contents = revision.files.map((file: SkillFile): SkillContent | null => {
      const bytes = read.next().value ?? null;
      return bytes?.length === file.size ? { ...file, bytes } : null;
    });
    return contents.includes(null) ? null : contents.filter((content) => content !== null);
  });
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
): Problem | null {
  const wrong = provenanceProblem(layer, entry);
  if (wrong) return invalid(`${JSON.stringify(entry.name)}: ${wrong}`);
  // A name that the frontmatter does not give comes from the folder, and stands in the revision.
  const counter = entry.tokens && claimedCounter([entry.tokens.body, ...entry.tokens.listing]);
  const { skill } = compileSkill(contents, revision.name, counter);
  if (!skill || skill.name !== revision.name || skill.revision.digest !== entry.revision) {
    return invalid(`${JSON.stringify(entry.name)} does not compile to its revision`);
  }
  if (!isNameFor(entry, skill.name)) {
    return invalid(`${JSON.stringify(entry.name)} is not a name for the skill ${JSON.stringify(skill.name)}`);
  }
  const head = counter && countPieces(counter.count, headPieces(printedHead(entry, layer)));
  const row = catalogEntry(skill, { ...entry, head });
  if (canonicalJson(row) === canonicalJson(entry)) return null;
  return {
    ...invalid(`${JSON.stringify(entry.name)} does not compile to its catalog row`),
    hint: 'Build with the same version of Skilledge that the deployment runs, then push again.',
  };
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
