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
/** Of one text: of its cut at each of the cut points below its length, then of all of it. No text: none. */
const Cuts = z.array(Count).max(CUT_POINTS.length + 1);

/** What a skill's listing texts cost, each with a space before it and the end of its line. */
export const TextTokens = z.strictObject({
  /** Description and trigger hints. */
  full: Cuts,
  /** Without trigger hints; not there where that is the same text. */
  plain: Cuts.exactOptional(),
  /** The short description, where it is used. */
  least: Cuts.exactOptional(),
});
export type TextTokens = z.infer<typeof TextTokens>;

/** What a skill's name costs: `- name:` before a text, and `- name` with the end of its line. A mark counts as name. */
const HeadTokens = z.tuple([Count, Count]);
export type HeadTokens = z.infer<typeof HeadTokens>;

/** Everything that a line of a listing can cost. Sums of these are exact: see `listing/counted-pieces.ts`. */
export const ListingTokens = TextTokens.extend({ head: HeadTokens });
export type ListingTokens = z.infer<typeof ListingTokens>;

/** What was counted of a skill itself, wherever it is put. */
export const SkillTokens = z.strictObject({
  tokenizer: z.literal(TOKENIZER),
  body: Count,
  listing: TextTokens,
});
export type SkillTokens = z.infer<typeof SkillTokens>;

/** A catalog row's counts: all of the above, so that a row can be checked without its report. */
export const RowTokens = ListingTokens.extend({ body: Count });
export type RowTokens = z.infer<typeof RowTokens>;
