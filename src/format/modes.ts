/**
 * Where the seeds' Claude Code (2.1.8x, "baseline") and today's (from 2.1.218 on) read the same frontmatter differently.
 * Sources: systems.md 1b and section 8, rows 6 and 7.
 */
export interface FormatMode {
  /** `yes`, `on`, `1` and their opposites in any case, or nothing but `true`. */
  readonly booleans: 'words' | 'true-only';
  /** What stands in for a missing description: the first paragraph, or the first line cut to 100 characters. */
  readonly descriptionFallback: 'paragraph' | 'line';
  /** Whether `{a,{b,c}}` is three patterns, or is torn at the first closing brace. */
  readonly braces: 'nested' | 'first-closing';
  /** Whether `src/**` stays a pattern below the root, or becomes `src`, which matches at any depth. */
  readonly trailingStars: 'kept' | 'stripped';
}

export type FormatModeName = 'claude-baseline' | 'claude-today';

export const FORMAT_MODES: Readonly<Record<FormatModeName, FormatMode>> = {
  'claude-baseline': {
    booleans: 'true-only',
    descriptionFallback: 'line',
    braces: 'first-closing',
    trailingStars: 'stripped',
  },
  'claude-today': {
    booleans: 'words',
    descriptionFallback: 'paragraph',
    braces: 'nested',
    trailingStars: 'kept',
  },
};

/**
 * What skills are compiled with: as today, and in either mode better than both where they lose what the author wrote. A
 * duplicate key costs that key and not all metadata, `version: 1.10` stays `1.10`, a byte order mark hides nothing, two
 * horizontal rules are no frontmatter, and a wrong value is reported with its line instead of dropped.
 */
export const DEFAULT_MODE: FormatMode = FORMAT_MODES['claude-today'];
