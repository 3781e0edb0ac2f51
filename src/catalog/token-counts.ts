import { z } from 'zod';

/**
 * Whose tokens are counted. Its vocabulary weighs a megabyte and takes a tenth of a second to load, so texts are counted
 * when they are built; the Worker has the counts and never the tokenizer.
 */
export const TOKENIZER = 'o200k_base';

/** The bytes of the longest token in its vocabulary. Every token has at least one. */
export const LONGEST_TOKEN_BYTES = 128;

export interface TokenCounter {
  readonly name: typeof TOKENIZER;
  /** Exactly how many tokens a text has; what looks like a special token is plain text. Null: it would take too long. */
  count(text: string): number | null;
}

/** Where listing texts are cut, in UTF-16 units, `…` included; a cut in between has no count. */
export const CUT_POINTS = [20, 40, 80, 125, 250, 500, 1000] as const;

const Count = z.int().nonnegative();
const TEXT_COUNTS = 3 * (CUT_POINTS.length + 1);

/**
 * Of the texts of a skill that a listing may print, in the order full, plain, least, each that differs from the one
 * before it: of its cut at every cut point below its length, then of all of it. A text is counted with the space before it
 * and the end of its line.
 */
const TextTokens = z.array(Count).max(TEXT_COUNTS);

/** Of the texts, then of `- name:` as it stands before one, and of `- name` with the end of its line. Marks count as name. */
export const ListingTokens = z
  .array(Count)
  .min(2)
  .max(TEXT_COUNTS + 2);
export type ListingTokens = z.infer<typeof ListingTokens>;

/** What was counted of a skill itself, wherever it is put. */
export const SkillTokens = z.strictObject({
  tokenizer: z.literal(TOKENIZER),
  body: Count,
  listing: TextTokens,
});
export type SkillTokens = z.infer<typeof SkillTokens>;

/** All that was counted of a catalog's row, so that it can be checked without its report. */
export const RowTokens = z.strictObject({ body: Count, listing: ListingTokens });
