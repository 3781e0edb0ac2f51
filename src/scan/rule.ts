import type { Category, Severity } from './finding.ts';

/** What every rule says of what it finds, whether it is a pattern or a check of the whole skill. */
export interface RuleText {
  /** Stable: suppressions and people name it. */
  readonly id: string;
  readonly category: Category;
  readonly severity: Severity;
  /** Whether a warning of it makes a skill one for caution. */
  readonly caution: boolean;
  /** Raised when it finds something else than before. */
  readonly version: number;
  /** One clause: what the text does. */
  readonly message: string;
  readonly remediation: string;
}

/**
 * How the surroundings of a match count.
 * `instruction`: text that tells an agent what to do, wherever an agent reads it; a quotation of it is about it.
 * `command`: an act of a shell or a program; in prose and comments it is about it, unless the prose says to run it.
 * `presence`: it need not be done or said to count, it is there: a secret, a hidden character.
 */
export type Reading = 'instruction' | 'command' | 'presence';

/** What of the text around a word a pattern is tried on: the line with what continues it, or the paragraph. */
export type Reach = 'line' | 'paragraph';

/** A piece of text; the path says what kind of file it is, SKILL.md where there is none. */
export type Example = string | { readonly path: string; readonly text: string };

export interface PatternRule extends RuleText {
  readonly reads: Reading;
  readonly reach: Reach;
  /**
   * Lower-case words, one of each group at least, without which the pattern cannot match: it is tried only where one of
   * the first group stands, and only in files that have one of each.
   */
  readonly words: readonly (readonly string[])[];
  /** Global; every repetition in it bounded or of characters that cannot begin what follows. */
  readonly pattern: RegExp;
  /** What also has to be in what the pattern is tried on. */
  readonly near?: RegExp;
  /** What also has to be in the file; of a long one, around the first match. */
  readonly beside?: RegExp;
  /** Not where this is in what matched. */
  readonly unless?: RegExp;
  /** Not where this is anywhere in what the pattern was tried on. */
  readonly unlessNear?: RegExp;
  /** The match is a secret, which no finding may show. */
  readonly secret?: true;
  /** Real examples of what it finds and of what looks like it; the tests try them all. */
  readonly finds: readonly Example[];
  readonly leaves: readonly Example[];
}
