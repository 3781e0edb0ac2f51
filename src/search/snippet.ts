import { SEARCH_LIMITS } from '../core/limits.ts';
import { visibleText } from '../listing/visible-text.ts';
import type { Snippet } from '../view/ports.ts';
import { type Word, wordsOf } from '../text/words.ts';

/** The part of a text with the most different matched words, as one visible line, and where the words are in it. */
export function snippetOf(text: string, terms: ReadonlySet<string>): Snippet {
  const visible = visibleText(text);
  const matches = [...wordsOf(visible)].filter(({ term }) => terms.has(term));
  const start = startOf(visible, bestWindow(matches));
  const end = endOf(visible, start);
  const before = start > 0 ? '…' : '';
  const marks = matches
    .filter((word) => word.start >= start && word.end <= end)
    .map((word) => {
      return { start: word.start - start + before.length, end: word.end - start + before.length };
    });
  return { text: `${before}${visible.slice(start, end)}${end < visible.length ? '…' : ''}`, marks };
}

/** The first match of the window that has the most different terms. */
function bestWindow(matches: readonly Word[]): number {
  let best = { start: 0, terms: 0 };
  const inside = new Map<string, number>();
  let last = 0;
  for (const first of matches) {
    while (last < matches.length) {
      const word = matches[last];
      if (!word || word.end - first.start > SEARCH_LIMITS.snippetCharacters) break;
      inside.set(word.term, (inside.get(word.term) ?? 0) + 1);
      last += 1;
    }
    if (inside.size > best.terms) best = { start: first.start, terms: inside.size };
    const left = (inside.get(first.term) ?? 0) - 1;
    if (left > 0) inside.set(first.term, left);
    else inside.delete(first.term);
  }
  return best.start;
}

/** Some words before the first match; the text's own beginning where that is near. */
function startOf(text: string, match: number): number {
  const wanted = match - SEARCH_LIMITS.snippetCharacters / 5;
  if (wanted <= 0 || text.length <= SEARCH_LIMITS.snippetCharacters) return 0;
  const space = text.indexOf(' ', wanted);
  return space === -1 || space >= match ? match : space + 1;
}

/** Never inside a word, where the text has words, and never inside a character. */
function endOf(text: string, start: number): number {
  const end = start + SEARCH_LIMITS.snippetCharacters;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  if (space > start + SEARCH_LIMITS.snippetCharacters / 2) return space;
  return text.slice(start, end).isWellFormed() ? end : end - 1;
}
