import { isUntrusted } from '../catalog/provenance.ts';
import { MENTION_LIMITS, SEARCH_LIMITS } from '../core/limits.ts';
import type { Mention, MentionSyntax } from '../mention/mention.ts';
import { scanMentions } from '../mention/scan-mentions.ts';
import { findNamesakes, type FoundSkill } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import type { View } from '../view/view.ts';

/**
 * - `unknown`: nothing in this view answers to it, whether or not there is such a skill elsewhere.
 * - `not-user-invocable`: its author keeps it for models. A `skill://` reads a file and starts nothing, so it is never this.
 * - `ambiguous`: several skills of the view have the name that follows a `$`. The other syntaxes mean the first of them.
 * - `invalid-path`: a `skill://` that points outside of its skill, or nowhere.
 * - `commands-off`: the organisation takes no slash commands; it was not looked up.
 */
export type MentionStatus =
  | 'resolved'
  | 'unknown'
  | 'not-user-invocable'
  | 'ambiguous'
  | 'invalid-path'
  | 'commands-off';

export interface ResolvedMention extends Mention {
  readonly status: MentionStatus;
  /** What it means, where it is resolved. */
  readonly skill: FoundSkill | null;
  /** Where it is ambiguous: the names that are not, `layer/name`. */
  readonly names: readonly string[];
}

export interface MentionAnswer {
  readonly mentions: readonly ResolvedMention[];
  /** Whether there were more than were looked at. */
  readonly more: boolean;
}

type Namesakes = ReadonlyMap<string, readonly FoundSkill[]>;

const COMMANDS: ReadonlySet<MentionSyntax> = new Set(['slash', 'skill-command', 'skill-line']);

/** Which skills a person's text names, and with which arguments. */
export async function resolveMentions(blobs: BlobStore, view: View, text: string): Promise<MentionAnswer> {
  const scanned = scanMentions(text);
  const all = [...scanned.commands, ...scanned.mentions];
  const looked = boundNames(all.slice(0, MENTION_LIMITS.mentions));
  const off = !view.settings.slashCommands;
  const asked = looked.filter(({ syntax }) => !off || !COMMANDS.has(syntax));
  const namesakes = await lookUp(blobs, view, asked);
  const resolved = looked.map((mention): ResolvedMention => {
    if (off && COMMANDS.has(mention.syntax))
      return { ...mention, status: 'commands-off', skill: null, names: [] };
    return resolve(mention, namesakes);
  });
  const mentions = stack(text, resolved, scanned.commands.length);
  return { mentions, more: looked.length < all.length };
}

/** Up to the first mention that would be one name too many. */
function boundNames(mentions: readonly Mention[]): readonly Mention[] {
  const names = new Set<string>();
  const end = mentions.findIndex(({ name }) => name !== null && names.add(name).size > MENTION_LIMITS.names);
  return end === -1 ? mentions : mentions.slice(0, end);
}

async function lookUp(blobs: BlobStore, view: View, mentions: readonly Mention[]): Promise<Namesakes> {
  const names = [...new Set(mentions.flatMap(({ name }) => name ?? []))];
  const found = new Map<string, readonly FoundSkill[]>();
  for (let start = 0; start < names.length; start += SEARCH_LIMITS.namedAtOnce) {
    const part = names.slice(start, start + SEARCH_LIMITS.namedAtOnce);
    const answers = await findNamesakes(blobs, view, part);
    for (const [index, name] of part.entries()) found.set(name, answers[index] ?? []);
  }
  return found;
}

function resolve(mention: Mention, namesakes: Namesakes): ResolvedMention {
  const unresolved = { ...mention, skill: null, names: [] };
  if (mention.name === null) return { ...unresolved, status: 'invalid-path' };
  const found = namesakes.get(mention.name) ?? [];
  const [skill] = found;
  if (!skill) return { ...unresolved, status: 'unknown' };
  // What anybody wrote cannot take a name from others by making it ambiguous.
  const rivals = found.filter(({ entry }) => !isUntrusted(entry.trust) || isUntrusted(skill.entry.trust));
  const different = new Set(rivals.map(({ entry }) => entry.revision)).size > 1;
  if (mention.syntax === 'dollar' && different) {
    const names = rivals.map(({ layer, entry }) => `${layer.layer}/${entry.name}`);
    return { ...unresolved, status: 'ambiguous', names };
  }
  if (mention.syntax !== 'url' && !skill.entry.userInvocable)
    return { ...unresolved, status: 'not-user-invocable' };
  return { ...mention, status: 'resolved', skill, names: [] };
}

/**
 * The commands of the beginning, with their arguments: the first, and those behind it for as long as all of them are
 * inline skills. Each gets the same arguments: what follows the last of them.
 */
function stack(text: string, resolved: readonly ResolvedMention[], commands: number): ResolvedMention[] {
  const first = resolved.slice(0, commands);
  const broken = first.findIndex(({ skill }) => skill?.entry.context !== 'inline');
  const stacked = broken === -1 ? first : first.slice(0, Math.max(1, broken));
  const args = text.slice(stacked.at(-1)?.end ?? 0).trim();
  return [...stacked.map((command) => ({ ...command, args })), ...resolved.slice(commands)];
}
