import { DETECT_LIMITS } from '../core/limits.ts';
import { contentWords } from '../text/stop-words.ts';
import type { Word } from '../text/words.ts';
import type { TriggerPhrases } from './trigger-phrases.ts';

interface Phrase {
  /** Its skill's place in the list that the index was made of. */
  readonly skill: number;
  readonly words: readonly string[];
}

/** Where in a phrase two words follow each other. */
interface Seed {
  readonly phrase: Phrase;
  readonly at: number;
}

/** The trigger phrases of many skills, to be looked for in a text all at once. */
export interface TriggerIndex {
  /** By two words that follow each other in a phrase. */
  readonly pairs: ReadonlyMap<string, readonly Seed[]>;
  /** Skills by a word that triggers them alone: one that few others speak of. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** Skills by a whole phrase that they refuse. */
  readonly refused: ReadonlyMap<string, readonly number[]>;
  /** For the first word of each of these, the most words that one has which begins with it. */
  readonly longestRefused: ReadonlyMap<string, number>;
}

/** A phrase in a text: `text.slice(start, end)`, in UTF-16 units, and how many of its words say something. */
export interface PhrasePlace {
  readonly start: number;
  readonly end: number;
  readonly words: number;
}

export interface TriggeredSkill {
  readonly skill: number;
  readonly place: PhrasePlace;
  /** Whether the whole phrase is there, or only a part of it. */
  readonly whole: boolean;
  /** What the skill says it is not for, where the text has that too. */
  readonly veto: PhrasePlace | null;
}

/** A text may say the same words often; each time costs a look at every phrase that has them. */
const PLACES_LOOKED_AT = 4;

export function buildTriggerIndex(skills: readonly TriggerPhrases[]): TriggerIndex {
  const pairs = new Map<string, Seed[]>();
  const words = new Map<string, number[]>();
  const refused = new Map<string, number[]>();
  const longestRefused = new Map<string, number>();
  const speaking = new Map<string, number>();
  for (const { wanted } of skills)
    for (const word of new Set(wanted.flat())) speaking.set(word, (speaking.get(word) ?? 0) + 1);
  for (const [skill, phrases] of skills.entries()) {
    for (const wanted of phrases.wanted) {
      const phrase: Phrase = { skill, words: wanted };
      const [only] = wanted;
      if (only !== undefined && wanted.length === 1 && (speaking.get(only) ?? 0) <= DETECT_LIMITS.wordSharers)
        append(words, only, skill);
      for (let at = 0; at + 1 < wanted.length; at += 1)
        append(pairs, `${wanted[at]} ${wanted[at + 1]}`, { phrase, at });
    }
    for (const phrase of phrases.refused) {
      const [first = ''] = phrase;
      append(refused, phrase.join(' '), skill);
      longestRefused.set(first, Math.max(phrase.length, longestRefused.get(first) ?? 0));
    }
  }
  return { pairs, words, refused, longestRefused };
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * The skills whose phrases are in a text: a phrase is there where at least two of its words follow each other, or its only
 * one stands. The longest is first, then whole phrases, then those that the fewest skills have. Words that say nothing are
 * skipped in both. What a skill refuses has to be there as a whole.
 */
export function findTriggered(index: TriggerIndex, text: string): TriggeredSkill[] {
  const words = contentWords(text);
  const best = findWanted(index, words);
  const shared = new Map<string, number>();
  for (const { place } of best.values()) shared.set(keyOf(place), (shared.get(keyOf(place)) ?? 0) + 1);
  const rarity = ({ place }: TriggeredSkill): number => shared.get(keyOf(place)) ?? 0;
  const vetoes = findRefused(index, words, best);
  return [...best.values()]
    .map((found) => ({ ...found, veto: vetoes.get(found.skill) ?? null }))
    .toSorted(
      (left, right) =>
        right.place.words - left.place.words ||
        Number(right.whole) - Number(left.whole) ||
        rarity(left) - rarity(right) ||
        left.skill - right.skill,
    );
}

function findWanted(index: TriggerIndex, words: readonly Word[]): Map<number, TriggeredSkill> {
  const best = new Map<number, TriggeredSkill>();
  const isNew = firstPlaces();
  const note = (skill: number, at: number, length: number, whole: boolean): void => {
    const before = best.get(skill);
    const longer = length - (before?.place.words ?? 0);
    if (longer > 0 || (longer === 0 && whole && before?.whole === false))
      best.set(skill, { skill, place: placeOf(words, at, length), whole, veto: null });
  };
  for (const [at, { term }] of words.entries()) {
    const owners = index.words.get(term);
    if (owners && isNew(term)) for (const skill of owners) note(skill, at, 1, true);
    const pair = `${term} ${words[at + 1]?.term ?? ''}`;
    const seeds = index.pairs.get(pair);
    if (!seeds || !isNew(pair)) continue;
    for (const { phrase, at: start } of seeds) {
      let length = 2;
      while (
        start + length < phrase.words.length &&
        phrase.words[start + length] === words[at + length]?.term
      )
        length += 1;
      note(phrase.skill, at, length, length === phrase.words.length);
    }
  }
  return best;
}

/** Says of the same words for the first few times that they have to be looked at. */
function firstPlaces(): (words: string) => boolean {
  const visits = new Map<string, number>();
  return (words) => {
    const before = visits.get(words) ?? 0;
    visits.set(words, before + 1);
    return before < PLACES_LOOKED_AT;
  };
}

/** For each skill that was found, the first phrase that it refuses; not one inside of a longer one that it wants. */
function findRefused(
  index: TriggerIndex,
  words: readonly Word[],
  found: ReadonlyMap<number, TriggeredSkill>,
): Map<number, PhrasePlace> {
  const vetoes = new Map<number, PhrasePlace>();
  const isNew = firstPlaces();
  for (const [at, { term }] of words.entries()) {
    const longest = Math.min(index.longestRefused.get(term) ?? 0, words.length - at);
    let phrase = '';
    for (let length = 1; length <= longest; length += 1) {
      phrase += `${length === 1 ? '' : ' '}${words[at + length - 1]?.term ?? ''}`;
      const owners = index.refused.get(phrase);
      if (!owners || !isNew(phrase)) continue;
      const place = placeOf(words, at, length);
      for (const skill of owners) {
        const wanted = found.get(skill)?.place;
        if (wanted && !vetoes.has(skill) && !isInside(place, wanted)) vetoes.set(skill, place);
      }
    }
  }
  return vetoes;
}

function keyOf({ start, end }: PhrasePlace): string {
  return `${start} ${end}`;
}

function placeOf(words: readonly Word[], at: number, length: number): PhrasePlace {
  return { start: words[at]?.start ?? 0, end: words[at + length - 1]?.end ?? 0, words: length };
}

/** "A rotated PDF" is no "PDF" to a skill that wants the one and not the other. */
function isInside(inner: PhrasePlace, outer: PhrasePlace): boolean {
  return inner.words < outer.words && inner.start >= outer.start && inner.end <= outer.end;
}
