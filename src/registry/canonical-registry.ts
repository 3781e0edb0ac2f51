import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { REMOTE_LAYER, type Space, spaceOf } from '../catalog/layers.ts';
import { catalogEntry, compileSkill, type CompiledSkill } from '../compile/compile-skill.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { REGISTRY_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import type { Fetch } from '../core/public-fetch.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Diagnostic } from '../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import type { RemoteSkills } from '../invoke/remote-skills.ts';
import { REMOTE_PREFIX } from '../invoke/skill-name.ts';
import type { BlobWriter } from '../publish/ports.ts';
import type { FoundSkill } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import { readDetails } from '../view/read-skill.ts';
import { stateOf, type View } from '../view/view.ts';
import { RegistryClient } from './registry-client.ts';
import { unknownRemote, unsupportedRemote } from './remote-problems.ts';
import { type IndexedSkill, IndexedName } from './well-known-index.ts';

interface RegistryPorts {
  readonly blobs: BlobStore;
  readonly writer: BlobWriter;
}

/**
 * Skills of the registry at `base` (an empty one has none): looked up in its index, fetched where the organisation has not
 * got those bytes yet, and compiled like any other. Their digest decides: other bytes are another revision.
 */
export class CanonicalRegistry implements RemoteSkills {
  readonly #ports: RegistryPorts;
  readonly #client: RegistryClient | null;
  /** Of skills whose documents are known to be in the organisation's space, or that cannot be loaded. */
  readonly #rows = new BoundedCache<string, Result<CatalogEntry>>(REGISTRY_LIMITS.rows);
  /** Digests of skills whose index says none, as they were seen first: for as long as that index is remembered. */
  readonly #seen = new WeakMap<IndexedSkill, Digest>();

  constructor(ports: RegistryPorts, base: string, fetch: Fetch) {
    this.#ports = ports;
    this.#client = base === '' ? null : new RegistryClient(base, fetch);
  }

  async find(view: View, name: string, revision: string | undefined): Promise<Result<FoundSkill>> {
    const slug = IndexedName.safeParse(name.slice(REMOTE_PREFIX.length));
    const off = stateOf(view, REMOTE_LAYER, name) === 'off';
    if (this.#client === null) return fail(unknownRemote(name, 'this deployment has no canonical registry'));
    if (!slug.success || off) return fail(unknownRemote(name, 'the registry has no skill of this name'));
    const index = await this.#client.index();
    if (!index.ok) return index;
    const indexed = index.value.get(slug.data);
    if (indexed === undefined)
      return fail(unknownRemote(name, 'the registry has no skill of this name', [...index.value.keys()]));
    if (indexed.kind === 'unsupported') return fail(unsupportedRemote(indexed.reason));
    const layer = { layer: REMOTE_LAYER, space: spaceOf(REMOTE_LAYER, view.organisation) };
    const row = await this.#row(this.#client, layer, slug.data, indexed);
    if (!row.ok) return row;
    if (revision !== undefined && row.value.revision !== revision)
      return fail(unknownRemote(name, 'the registry has another revision of this skill'));
    return ok({ layer, entry: row.value });
  }

  async #row(
    client: RegistryClient,
    layer: FoundSkill['layer'],
    slug: string,
    indexed: Extract<IndexedSkill, { kind: 'skill' }>,
  ): Promise<Result<CatalogEntry>> {
    const { space } = layer;
    const expected = indexed.digest ?? this.#seen.get(indexed) ?? null;
    const known = expected && this.#rows.get(`${space} ${slug} ${expected}`);
    if (known) return known;
    const [stored = null] = expected ? await this.#ports.blobs.readMany([{ space, digest: expected }]) : [];
    const bytes = stored ? ok(stored) : await client.skillFile(indexed.url, expected);
    if (!bytes.ok) return bytes;
    const sha256 = digestOf(bytes.value);
    const file = { path: SKILL_FILE_NAME, size: bytes.value.length, sha256, executable: false };
    const { skill, diagnostics } = compileSkill([{ ...file, bytes: bytes.value }], slug);
    const row = skill ? ok(rowOf(skill, slug, indexed.url)) : fail(unloadable(diagnostics));
    if (skill && row.ok) {
      // The SKILL.md may be there from elsewhere, and the report be one of another compiler.
      const details = stored && (await readDetails(this.#ports.blobs, { layer, entry: row.value }));
      if (!details?.ok) await this.#store(space, skill, bytes.value);
    }
    if (indexed.digest === null) this.#seen.set(indexed, sha256);
    this.#rows.set(`${space} ${slug} ${sha256}`, row);
    return row;
  }

  /** Nothing refers to any of it until all of it is there. */
  async #store(space: Space, skill: CompiledSkill, bytes: Uint8Array): Promise<void> {
    const documents = [skill.revision, skill.report].map(({ digest, text }) => ({
      digest,
      bytes: new TextEncoder().encode(text),
    }));
    const blobs = [...documents, { digest: skill.skillFile.sha256, bytes }];
    await this.#ports.writer.write(
      space,
      blobs.map((blob) => ({ ...blob, tier: 'hot' })),
    );
  }
}

function unloadable([first]: readonly Diagnostic[]): Problem {
  return unsupportedRemote(`its SKILL.md cannot be loaded: ${first?.message ?? 'nothing is in it'}`);
}

function rowOf(skill: CompiledSkill, slug: string, url: string): CatalogEntry {
  return catalogEntry(skill, {
    name: `${REMOTE_PREFIX}${slug}`,
    kind: 'skill',
    trust: 'community',
    scope: null,
    plugin: null,
    // No listing has it; what its author wants stricter stays so.
    listing: 'unlisted',
    origins: [url],
    head: null,
  });
}
