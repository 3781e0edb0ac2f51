import { z } from 'zod';
import { Requirement, type RequirementKind } from '../../catalog/requirement.ts';
import { byCodeUnit } from '../../core/canonical-json.ts';
import { LISTING_LIMITS, SESSION_LIMITS } from '../../core/limits.ts';
import { cutText } from '../../listing/grapheme-cut.ts';
import type { PreparedEntry } from '../../listing/listing-entry.ts';
import { nameInList, visibleText } from '../../listing/visible-text.ts';

/** Something that a host lacks, and the skills that wait for it. */
export const MissingRequirement = Requirement.extend({ skills: z.array(z.string()) });
export type MissingRequirement = z.infer<typeof MissingRequirement>;

/** What a host is asked once for everything that is missing. */
export const PreflightQuestion = z.strictObject({
  question: z.string(),
  missing: z.array(MissingRequirement),
});
export type PreflightQuestion = z.infer<typeof PreflightQuestion>;

/** The same for equal requirements. */
export function requirementKey({ kind, oneOf }: Requirement): string {
  return JSON.stringify([kind, ...oneOf.toSorted(byCodeUnit)]);
}

/** Each thing once, in the order of its first skill. */
export function consolidateMissing(
  skills: readonly { readonly name: string; readonly missing: readonly Requirement[] }[],
): MissingRequirement[] {
  const found = new Map<string, Requirement & { readonly skills: Set<string> }>();
  for (const { name, missing } of skills) {
    for (const { kind, oneOf } of missing) {
      const key = requirementKey({ kind, oneOf });
      const one = found.get(key) ?? { kind, oneOf, skills: new Set<string>() };
      found.set(key, one);
      one.skills.add(name);
    }
  }
  return [...found.values()].map((one) => ({ ...one, skills: [...one.skills] }));
}

/** The texts of a skill that lacks something, each with ` (needs gh, GITHUB_TOKEN)` behind it. Where there is no text there is no mark. */
export function markMissing(prepared: PreparedEntry, missing: readonly Requirement[]): PreparedEntry {
  if (missing.length === 0 || prepared.full === '') return prepared;
  const needed = visibleText(missing.map(({ oneOf }) => oneOf.join(' or ')).join(', '));
  const note = ` (needs ${cutText(needed, LISTING_LIMITS.noteCharacters)})`;
  const { full, plain, least } = prepared;
  return { ...prepared, full: full + note, plain: plain + note, least: least + note, note };
}

const KINDS: Readonly<Record<RequirementKind, string>> = {
  bins: 'the program',
  env: 'the environment variable',
  tools: 'the tool',
  mcpServers: 'the MCP server',
  config: 'the setting',
  skills: 'the skill',
};

/** One question about all of it. It asks for what is there, and never for a value. */
export function askFor(missing: MissingRequirement[]): PreflightQuestion {
  const lines = missing.map(({ kind, oneOf, skills }) => {
    const shown = skills.slice(0, SESSION_LIMITS.askedSkills).map(nameInList);
    const more = skills.length > shown.length ? ` and ${skills.length - shown.length} more` : '';
    return `- ${KINDS[kind]} ${visibleText(oneOf.join(' or '))}, for ${shown.join(', ')}${more}`;
  });
  const question = [
    'Some skills need what is not there:',
    ...lines,
    'Can it be set up, or is it to be done without? Say only what is set up, and never what is secret.',
  ].join('\n');
  return { question, missing };
}
