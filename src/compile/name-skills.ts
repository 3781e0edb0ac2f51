import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer } from '../catalog/layers.ts';
import type { ListingState } from '../catalog/listing-state.ts';
import type { Gates } from '../catalog/merkle-catalog.ts';
import { type Precedence, rankOf } from '../catalog/precedence.ts';
import { isUntrusted, type Trust } from '../catalog/provenance.ts';
import type { TokenCounter } from '../catalog/token-counts.ts';
import { type Naming, type NamedFolder, uniqueNames } from '../catalog/unique-names.ts';
import type { Digest } from '../core/digest.ts';
import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import { foldName } from '../format/fold-name.ts';
import { countPieces, headPieces } from '../listing/counted-pieces.ts';
import { printedHead } from '../listing/listing-entry.ts';
import { type CataloguedSkill, catalogEntry } from './compile-skill.ts';
import type { SkillDefinition } from './definition.ts';
import { skillFilePath } from './tree-index.ts';

/** A skill that loaded and is wanted, with everything that its place says of it. */
export interface FoundSkill {
  readonly definition: SkillDefinition;
  readonly skill: CataloguedSkill;
  /** The name that its layout gives it; another may have it. */
  readonly name: string;
  readonly listing: ListingState;
  /** The feature flag that it waits for. */
  readonly flag: string | null;
  readonly trust: Trust;
  /** Position of its source in the layer. */
  readonly source: number;
  readonly realPath: string | null;
}

interface Contender extends NamedFolder {
  readonly revision: Digest;
  readonly found: FoundSkill;
}

export interface NamedSkills {
  readonly entries: readonly CatalogEntry[];
  readonly gates: Gates;
  readonly merged: number;
  readonly clashes: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The name that a layout gives a skill. */
export function layoutName({ name }: SkillDefinition, own: string): string {
  return 'fixed' in name ? name.fixed : `${name.prefix}${own}`;
}

/** Gives every skill of a layer its name and its row, and says who lost a name to whom. */
export function nameSkills(
  layer: Layer,
  found: readonly FoundSkill[],
  precedence: Precedence,
  counter: TokenCounter | null,
): NamedSkills {
  const contenders = found.map((one): Contender => {
    const { definition, skill, name, source, realPath } = one;
    const { kind, provider, scope, folder } = definition;
    const untrusted = isUntrusted(one.trust);
    const rank = rankOf(precedence, { kind, provider, scope, source, untrusted });
    return {
      found: one,
      name,
      revision: skill.revision.digest,
      folder,
      rank,
      scope,
      realPath,
      untrusted,
    };
  });
  const naming = uniqueNames(contenders, foldName);
  const entries = naming.names.map(({ name, found: { found: one }, origins }) => {
    const { definition, skill, listing, trust } = one;
    const { kind, scope, plugin } = definition;
    const head = counter && countPieces(counter.count, headPieces(printedHead({ name, trust }, layer)));
    return catalogEntry(skill, { name, kind, trust, scope, plugin, listing, origins, head });
  });
  const gates = naming.names.flatMap(({ name, found: { found: one } }) =>
    one.flag === null ? [] : [[name, one.flag] as const],
  );
  const { merged, clashes } = naming;
  return {
    entries,
    gates: Object.fromEntries(gates),
    merged: merged.length,
    clashes: clashes.length,
    diagnostics: remarks(naming, pathsOf(found)),
  };
}

function pathsOf(found: readonly FoundSkill[]): ReadonlyMap<string, string> {
  return new Map(found.map(({ definition }) => [definition.folder, skillFilePath(definition)]));
}

function remarks({ clashes, merged }: Naming<Contender>, paths: ReadonlyMap<string, string>): Diagnostic[] {
  const path = (folder: string): string => paths.get(folder) ?? folder;
  return [
    ...clashes.map(({ folder, name, qualified, winner, winnerName }) => {
      const looks = winnerName === name ? '' : ` (written ${JSON.stringify(winnerName)})`;
      const message = `"${name}" is also in ${winner || 'the source itself'}${looks}; this one is "${qualified}"`;
      return diagnostic('name-clash', path(folder), 1, message);
    }),
    ...merged.map(({ folder, into }) =>
      diagnostic('skill-merged', path(folder), 1, `the same as ${path(into)}`),
    ),
  ];
}
