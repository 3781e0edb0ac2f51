/**
 * How a text names a skill: `$name`; `[$name](path)`; `skill://name/path`; `/name` or `/skill:name` at its beginning; or a
 * line `Skill: ...`, which is what is left of such a command in a conversation.
 */
export type MentionSyntax = 'dollar' | 'link' | 'url' | 'slash' | 'skill-command' | 'skill-line';

/** A place where a text names a skill. `text.slice(start, end)` is the mention; both count UTF-16 units. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly syntax: MentionSyntax;
  /** As it is written, percent-decoded where it is a URL; null where a `skill://` points outside of its skill or nowhere. */
  readonly name: string | null;
  /** The file of the skill that is meant, where one is. */
  readonly path: string | null;
  /** What a `User:` line gives a skill; what stands behind a command depends on which skills there are. */
  readonly args: string | null;
}
