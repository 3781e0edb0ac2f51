import { FREQUENT_GRAMS } from './frequent-grams.ts';

/** From the most frequent character of English on; all others are rarer. */
const FREQUENT = ' -etaoinsrhldcum/fpg.wy#*=|`_bvkxjqz';
const RARITY = Uint8Array.from({ length: 256 }, (_, byte) => {
  const rank = FREQUENT.indexOf(String.fromCharCode(byte));
  return rank === -1 ? FREQUENT.length : rank;
});

const GRAM = 4;

/** Where those bytes of a longer word begin that are the rarest in texts. */
export function rarestPart(word: Uint8Array, length: number): number {
  const text = String.fromCharCode(...word);
  let best = { share: Infinity, at: 0 };
  for (let at = 0; at + length <= word.length; at += 1) {
    const share = shareOf(text, at, at + length - 1) + shareOf(text, at + 1, at + length);
    if (share < best.share) best = { share, at };
  }
  return best.at;
}

/** Some share of all text that a part of a word has at most: that of the rarest four bytes in it. */
function shareOf(text: string, start: number, end: number): number {
  let least = Infinity;
  for (let at = start; at + GRAM <= end; at += 1) least = Math.min(least, shareOfGram(text, at));
  return least;
}

/** Roughly: of the frequent ones by their rank, of others by each byte. */
function shareOfGram(text: string, at: number): number {
  const rank = FREQUENT_GRAMS.get(text.slice(at, at + GRAM));
  if (rank !== undefined) return 1 / (rank + 20);
  let rarity = 0;
  for (let next = at; next < at + GRAM; next += 1) rarity += RARITY[text.charCodeAt(next)] ?? 0;
  return 1 / (2 * FREQUENT_GRAMS.size + 100 * rarity);
}
