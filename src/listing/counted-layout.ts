import { LINES, REMINDER } from './layout.ts';

/** What stands around counted lines, with its tokens: the tests count them again. */
export interface CountedLayout {
  /** Before the first line, and after the line end of the last one. */
  readonly block: readonly [string, string];
  readonly blockTokens: number;
}

/** There is a line end after the last line, too: so that it costs what it costs anywhere else. */
export const COUNTED_LINES: CountedLayout = { block: LINES.block, blockTokens: 0 };

export const COUNTED_REMINDER: CountedLayout = {
  block: [REMINDER.block[0], REMINDER.block[1].slice('\n'.length)],
  blockTokens: 13 + 5,
};

const ONE_MORE = 13;
const MORE = 12;

/** Tokens of the line about omitted entries. Digits are split into threes, each of which is a token. */
export function tailTokens(omitted: number): number {
  return omitted === 1 ? ONE_MORE : Math.ceil(String(omitted).length / 3) + MORE;
}
