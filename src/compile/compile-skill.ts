import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { firstPatterns } from '../catalog/first-patterns.ts';
import { strictest } from '../catalog/listing-state.ts';
import { revisionDocument, type SkillFile } from '../catalog/revision.ts';
import type { SkillTokens, TokenCounter } from '../catalog/token-counts.ts';
import { compatibilityOf } from '../format/compatibility/compatibility.ts';
import type { Diagnostic } from '../format/diagnostic.ts';
import { parseSkill, SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { countPieces, textPieces } from '../listing/counted-pieces.ts';
import { prepareTexts } from '../listing/listing-entry.ts';
import { scanSkill } from '../scan/scan-skill.ts';
import { COMPILER_VERSION, type Report } from './report.ts';
import { requirementsOf } from './requirements-of.ts';

/** A document to be stored under its digest. */
export interface Document {
  readonly digest: Digest;
  readonly text: string;
}

export interface CompiledSkill {
  readonly name: string;
  readonly revision: Document;
  readonly report: Document;
  readonly fields: Report['fields'];
  readonly tokens: SkillTokens | null;
  readonly skillFile: SkillFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly scan: Report['scan'];
}

/** A file of a skill as it was read. */
export interface SkillContent extends SkillFile {
  readonly bytes: Uint8Array;
}

/**
 * Compiles one skill from its files, the SKILL.md among them. Pure: the same input gives the same documents on a disk, in
 * a Worker and in ten years, which is how a deployment checks what is pushed to it. `skill` is null when the SKILL.md
 * cannot be loaded; the diagnostics say why. Their paths are relative to the skill's folder. Without a counter of tokens
 * the report has none.
 */
export function compileSkill(
  contents: readonly SkillContent[],
  fallbackName: string,
  counter: TokenCounter | null = null,
): { skill: CompiledSkill | null; diagnostics: readonly Diagnostic[] } {
  const own = contents.find(({ path }) => path === SKILL_FILE_NAME);
  if (!own) return { skill: null, diagnostics: [] };
  const { bytes, ...skillFile } = own;
  const parsed = parseSkill(bytes, fallbackName, SKILL_FILE_NAME);
  if (!parsed.skill) return { skill: null, diagnostics: parsed.diagnostics };
  const files = contents.map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable }));
  const { name, fields, frontmatter, frontmatterText, body, diagnostics } = parsed.skill;
  const revision = revisionDocument({ name, files });
  const tokens = counter && countSkill(counter, fields, body);
  const scan = scanSkill(contents, parsed.skill);
  const report: Report = {
    compiler: COMPILER_VERSION,
    revision: revision.digest,
    name,
    fields,
    frontmatter,
    frontmatterText,
    diagnostics: [...diagnostics],
    compatibility: compatibilityOf(parsed.skill, frontmatterText, files),
    body: { characters: body.length, lines: body.split('\n').length },
    tokens,
    scan,
  };
  const text = canonicalJson(report);
  return {
    skill: {
      name,
      revision,
      report: { digest: digestOf(text), text },
      fields,
      tokens,
      skillFile,
      diagnostics,
      scan,
    },
    diagnostics,
  };
}

/** What a catalog needs of a compiled skill. Its documents are stored by then; thousands of them are not kept in memory. */
export interface CataloguedSkill extends Pick<CompiledSkill, 'fields' | 'tokens' | 'skillFile'> {
  readonly revision: Pick<Document, 'digest'>;
  readonly report: Pick<Document, 'digest'>;
}

export function forCatalog({ fields, tokens, skillFile, revision, report }: CompiledSkill): CataloguedSkill {
  const digests = { revision: { digest: revision.digest }, report: { digest: report.digest } };
  return { fields, tokens, skillFile, ...digests };
}

/** What an entry says of where its skill was found. `listing` is what is wished for; the author's wish can be stricter. */
export interface Placement extends Pick<
  CatalogEntry,
  'name' | 'kind' | 'trust' | 'scope' | 'plugin' | 'listing'
> {
  readonly origins: readonly string[];
  /** Tokens of its name there; null where nobody counted. */
  readonly head: readonly number[] | null;
}

/** The catalog's row for a compiled skill. All but its placement follows from the skill. */
export function catalogEntry(skill: CataloguedSkill, placement: Placement): CatalogEntry {
  const { fields, tokens } = skill;
  const { name, kind, trust, scope, plugin, origins, head } = placement;
  const requires = requirementsOf(fields.requires);
  return {
    name,
    revision: skill.revision.digest,
    report: skill.report.digest,
    skillFile: { sha256: skill.skillFile.sha256, size: skill.skillFile.size },
    ...entryTexts(fields),
    version: fields.version,
    listing: strictest(
      placement.listing,
      fields.disableModelInvocation ? 'manual' : 'auto',
      fields.paths.length > 0 || scope !== null ? 'conditional' : 'auto',
    ),
    userInvocable: fields.userInvocable,
    context: fields.context,
    kind,
    trust,
    scope,
    paths: firstPatterns(
      fields.paths.map((pattern) => pattern.toWellFormed()),
      SKILL_LIMITS.entryPatterns,
      SKILL_LIMITS.entryPatternsCharacters,
    ),
    platforms: hostNames(fields.requires?.platforms ?? []),
    products: hostNames(fields.policy?.products ?? []),
    ...(requires.length === 0 ? {} : { requires }),
    plugin,
    origins: [...origins],
    tokens: tokens && head ? { body: tokens.body, listing: [...tokens.listing, ...head] } : null,
  };
}

function entryTexts(fields: Report['fields']) {
  return {
    description: cut(fields.description, SKILL_LIMITS.entryDescriptionCharacters),
    whenToUse: cut(fields.whenToUse ?? '', SKILL_LIMITS.entryTriggerCharacters),
    shortDescription: cut(fields.shortDescription ?? '', SKILL_LIMITS.entryTriggerCharacters),
  };
}

function countSkill(counter: TokenCounter, fields: Report['fields'], body: string): SkillTokens | null {
  const bodyTokens = counter.count(body);
  const listing = countPieces(counter.count, textPieces(prepareTexts(entryTexts(fields))));
  if (bodyTokens === null || listing === null) return null;
  return { tokenizer: counter.name, body: bodyTokens, listing };
}

/** Lower case: authors write `macOS`, `MacOS` and `macos` for one thing. */
function hostNames(names: readonly string[]): string[] {
  const plain = names.map((name) => cut(name.trim().toLowerCase(), SKILL_LIMITS.entryHostCharacters));
  return [...new Set(plain)].slice(0, SKILL_LIMITS.entryHosts);
}

function cut(text: string, limit: number): string {
  return (text.length <= limit ? text : text.slice(0, limit)).toWellFormed();
}
