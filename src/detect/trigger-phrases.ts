import { DETECT_LIMITS } from '../core/limits.ts';
import { exclusionsOf } from '../text/exclusions.ts';
import { contentWords } from '../text/stop-words.ts';
import { wordsOf } from '../text/words.ts';

/** Phrases, each as its words that say something. */
export interface TriggerPhrases {
  /** What a skill wants to be used for. */
  readonly wanted: readonly (readonly string[])[];
  /** What it does not. */
  readonly refused: readonly (readonly string[])[];
}

/** Words behind which a description says when its skill is to be used. */
const CUE = new RegExp(
  [
    // "Use this skill when", "Should be applied if", "Triggers whenever".
    String.raw`(?<![\w-])(?:use[ds]?|useful|appl(?:y|ies|ied)|activates?|invoked?|load|call|run|triggers?)\b(?: [\w-]+){0,4}? (?:when(?:ever)?|if)\b`,
    // "Use for", "useful to", "triggers on".
    String.raw`(?<![\w-])(?:use[ds]?|useful|perfect|ideal|triggers?)(?: (?:this|the|it|skill))* (?:for|on|to)\b`,
    // "Trigger phrases:", "Keywords include:".
    String.raw`\b(?:trigger (?:phrases|words|terms)|triggers?|keywords?|when to use)\b(?: (?:are|include)\b)? ?:`,
    // "When the user ...", "Whenever you".
    String.raw`\bwhen(?:ever)? (?:the |an? )?(?:users?|developers?|someone|somebody|you|asked|working|building)\b`,
  ].join('|'),
  'i',
);
/** What stands between two phrases of a list. */
const SEPARATOR = /[,;:()[\]\u2014\u3001\uff0c\uff1b\u3002.!?\n]+|\s-{1,2}\s|\b(?:or|and\/or)\b/i;
const QUOTED =
  /"([^"\n]+)"|\u201c([^\u201d\n]+)\u201d|\u300c([^\u300d\n]+)\u300d|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu;
/** At the beginning of a phrase, how somebody comes to want it: "the user asks to", "working with". */
const LEADING: ReadonlySet<string> = new Set(
  [
    ...wordsOf(
      `user users developer someone somebody people asks asked wants needs says mentions requests describes tries trying
      explicitly working involving including such task tasks when whenever you use using`,
    ),
  ].map(({ term }) => term),
);
/** A list of nothing but triggers, in which a single word counts as a quoted one does. */
const LIST_CUE =
  /\b(?:trigger (?:phrases|words|terms)|triggers?|keywords?)\b(?: (?:are|include|on)\b)? ?:?$/i;
const SHORTEST_WORD = 3;

/**
 * The trigger phrases of a skill's texts: what is quoted, and what is listed between commas and "or", in a sentence that says
 * when the skill is to be used, or anywhere in its trigger hints. What a sentence rules out ("do not use for ...") is
 * refused. At most so many of each as a skill may have; the trigger hints' come first.
 */
export function triggerPhrases(texts: { whenToUse: string; description: string }): TriggerPhrases {
  const wanted = new Map<string, string[]>();
  const refused = new Map<string, string[]>();
  for (const [text, isHint] of [
    [texts.whenToUse, true],
    [texts.description, false],
  ] as const) {
    // A list of triggers goes on over semicolons and lines, up to a full stop.
    let [isList, isOpen] = [false, false];
    for (const sentence of exclusionsOf(text)) {
      const cue = CUE.exec(sentence.positive);
      if (cue) isList = LIST_CUE.test(cue[0]);
      const goesOn = isHint || cue !== null || isOpen;
      const clauses = goesOn ? sentence.positive.slice(cue ? cue.index + cue[0].length : 0) : '';
      isOpen = goesOn && sentence.refused === '' && !/[.!?]\s*$/.test(sentence.positive);
      addPhrases(wanted, clauses, isList ? isWord : isNoWord);
      addPhrases(refused, sentence.refused, isNoun);
    }
  }
  return { wanted: bounded(wanted), refused: bounded(refused) };
}

function bounded(phrases: ReadonlyMap<string, string[]>): string[][] {
  return [...phrases.values()].slice(0, DETECT_LIMITS.phrases);
}

function addPhrases(phrases: Map<string, string[]>, text: string, isAlone: (word: string) => boolean): void {
  if (text === '') return;
  for (const match of text.matchAll(QUOTED)) {
    const quoted = match.slice(1).find((group) => group !== undefined) ?? '';
    addPhrase(phrases, quoted, isWord);
  }
  for (const clause of text.replaceAll(QUOTED, ',').split(SEPARATOR)) addPhrase(phrases, clause, isAlone);
}

/** `isAlone` says whether a phrase of one word is one. */
function addPhrase(phrases: Map<string, string[]>, text: string, isAlone: (word: string) => boolean): void {
  const words = contentWords(text);
  const first = words.findIndex(({ term }) => !LEADING.has(term));
  const phrase = first === -1 ? [] : words.slice(first);
  const [word] = phrase;
  if (!word) return;
  if (phrase.length === 1 && !isAlone(text.slice(word.start, word.end))) return;
  const terms = phrase.slice(0, DETECT_LIMITS.phraseWords).map(({ term }) => term);
  phrases.set(terms.join(' '), terms);
}

function isWord(word: string): boolean {
  return word.length >= SHORTEST_WORD;
}

/** One word of a sentence is left over from a list of verbs, or says too little: "reviewing", "Python". */
function isNoWord(): boolean {
  return false;
}

/** What a skill is not for is often one word; not a verb, which would refuse too much. */
function isNoun(word: string): boolean {
  return word.length >= SHORTEST_WORD && !word.endsWith('ing');
}
