import type { RuleText } from '../rule.ts';
import type { Remark, SkillFacts } from './check.ts';

const GENERIC: RuleText = {
  id: 'generic-trigger',
  category: 'trigger-quality',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the description asks for the skill whatever is to be done',
  remediation:
    'Say what the skill does and when it is of use; a skill that is always used is always paid for.',
};

const PUSHING: RuleText = {
  id: 'pushing-trigger',
  category: 'trigger-quality',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the description puts the skill before all others',
  remediation: 'Say what it is for; which skill comes first is for the user to decide.',
};

const BAITING: RuleText = {
  id: 'keyword-baiting',
  category: 'trigger-quality',
  severity: 'warn',
  caution: false,
  version: 1,
  message: 'the description is a heap of words to be found by',
  remediation: 'Keep the words that belong to what the skill does.',
};

const VAGUE: RuleText = {
  id: 'vague-description',
  category: 'trigger-quality',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the description is too short to say when the skill is of use',
  remediation: 'Say in a sentence what the skill does and when to use it.',
};

const PRAISE: RuleText = {
  id: 'praise-for-itself',
  category: 'trigger-quality',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the description praises the skill',
  remediation: 'Say what it does and when it is of use; agents believe what they read.',
};

export const DESCRIPTION_RULES: readonly RuleText[] = [GENERIC, PUSHING, BAITING, VAGUE, PRAISE];

const ANYTHING =
  /\b(?:(?:use|used|useful|invoke|activate|trigger|run|load)s?\b[^.]{0,40}\b(?:for (?:any|every|all)(?:thing| (?:kinds? of )?(?:tasks?|requests?|questions?|messages?|prompts?|situations?|purposes?))|(?:on|in|at|with|before|after|for) (?:every|all|any|each) (?:single )?(?:messages?|requests?|conversations?|prompts?|tasks?|turns?|responses?|user (?:messages?|requests?)|sessions?)\b|whenever (?:the user|anyone|somebody) (?:says|asks|types|sends|writes|mentions) (?:anything|something)|no matter what)|helps? (?:you )?with (?:anything|everything|all (?:your )?tasks)|(?:does|do|handles?|can do) (?:everything|anything)|general[- ]purpose (?:helper|assistant|skill)|always (?:use|invoke|activate|load|run|apply) this(?: skill)?(?:\.|,|!|$| for (?:all|every|any))|for (?:everything|anything)(?:\.|,|!|$)|whenever any (?:file|message|question|task|code|text)s?\b|in every (?:conversation|session|chat)\b|mandatory for (?:all|every|any)\b|never (?:respond|answer|act|reply) without (?:it|this)\b)/i;
const FIRST =
  /\b(?:(?:instead of|before|over|rather than) (?:any|all|every) other (?:skills?|tools?)|(?:highest|top|maximum) priority|overrides? (?:all|any|every) other|(?:ignore|disable|skip|do not use|don't use|never use) (?:all |any |the )?other (?:skills?|tools?)|prefer this (?:skill )?(?:over|to|above) (?:all|any|every)|takes? (?:precedence|priority) over (?:all|any|every|other))/i;

/** Says nothing of what for. */
const EMPTY =
  /\b(?:many|various|all (?:kinds|sorts) of|lots of|a variety of)\s+(?:different\s+|other\s+)?(?:things|tasks|stuff|purposes|situations)\b/i;
const PRAISES =
  /\b(?:the best|(?:most|more) (?:powerful|advanced|complete|intelligent)|better than (?:all|any|every)|trusted by (?:millions|thousands))\b/i;
/** Words of sentences. A text of many others without any of these is a list. */
const SENTENCE_WORDS =
  /(?:^|\s)(?:a|an|the|and|or|of|to|for|in|on|with|when|use|used|is|are|that|this|from|by|it|as|at)(?:\s|$)/i;
const WORDS_OF_A_LIST = 25;

/** What a description has at most that was written for people: of 2,223 real ones a handful have more. */
const LIST = 30;
const REPEATS = 6;
const WORDS = 5;

/** Whether the description says honestly when the skill is of use. */
export function* checkDescription({ fields }: SkillFacts): Generator<Remark> {
  const text = `${fields.description}\n${fields.whenToUse ?? ''}`.slice(0, 4_096);
  const generic = ANYTHING.exec(text);
  if (generic) yield remark(GENERIC, generic[0]);
  const first = FIRST.exec(text);
  if (first) yield remark(PUSHING, first[0]);
  const items = itemsOf(text);
  const short = items.length <= LIST ? 0 : items.filter((item) => item.split(/\s+/).length <= 3).length;
  const repeated = mayRepeat(text) ? mostRepeated(text) : NOTHING;
  if (short > LIST || repeated.count > REPEATS)
    yield remark(
      BAITING,
      short > LIST
        ? `${short} short items: ${items.slice(0, 8).join(', ')}`
        : `"${repeated.word}" ${repeated.count} times`,
    );
  if (!SENTENCE_WORDS.test(fields.description) && isLatin(fields.description)) {
    const words = wordsOf(fields.description, 1);
    if (words.length > WORDS_OF_A_LIST)
      yield remark(BAITING, `${words.length} words and no sentence: ${words.slice(0, 8).join(' ')}`);
  }
  const praise = PRAISES.exec(text);
  if (praise) yield remark(PRAISE, praise[0]);
  const empty = EMPTY.exec(fields.description);
  if (empty) yield remark(VAGUE, empty[0]);
  // A missing description is the validator's business.
  if (hasFewWords(fields.description) && isLatin(fields.description)) yield remark(VAGUE, fields.description);
}

const ASCII = /^[ -~\s]*$/;

/** Words that count when they are repeated have as many letters. */
const LONGER = 4;

/** Most descriptions are ASCII, whose letters are found in a fraction of the time. */
function wordsOf(text: string, least: 1 | typeof LONGER): string[] {
  const isAscii = ASCII.test(text);
  if (least === 1) return text.match(isAscii ? /[a-z0-9]+/gi : /[\p{L}\p{N}]+/gu) ?? [];
  return text.match(isAscii ? /[a-z0-9]{4,}/gi : /[\p{L}\p{N}]{4,}/gu) ?? [];
}

/** Other scripts need fewer words, or have no spaces between them. */
function isLatin(text: string): boolean {
  return /^[\p{Script=Latin}\p{P}\p{S}\p{Z}\p{N}]*$/u.test(text);
}

function remark(rule: RuleText, evidence: string): Remark {
  return { rule, path: 'SKILL.md', evidence };
}

/** One word and more, and too few to say anything. */
function hasFewWords(text: string): boolean {
  const word = ASCII.test(text) ? /[a-z0-9]+/gi : /[\p{L}\p{N}]+/gu;
  let words = 0;
  while (words < WORDS && word.test(text)) words += 1;
  return words > 0 && words < WORDS;
}

/** What stands between marks of a list, trimmed; nothing where there are too few marks for a long one. */
function itemsOf(text: string): string[] {
  const items = text.split(LIST_MARK);
  if (items.length <= LIST) return [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
const LIST_MARK = /[,;|/•\n]/;

const NOTHING = { word: '', count: 0 };
const BUCKETS = 64;

/** Counts words by what they begin with: where none of these is frequent, no word is. Other alphabets always may be. */
function mayRepeat(text: string): boolean {
  const counts = new Uint16Array(BUCKETS);
  let [length, hash] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const letter = code | 0x20;
    if (code >= 0x80 && !isPunctuation(code)) return true;
    if ((letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39)) {
      length += 1;
      if (length > LONGER) continue;
      hash = hash * 5 + letter;
      if (length < LONGER) continue;
      const count = (counts[hash % BUCKETS] ?? 0) + 1;
      if (count > REPEATS) return true;
      counts[hash % BUCKETS] = count;
    } else [length, hash] = [0, 0];
  }
  return false;
}

function isPunctuation(code: number): boolean {
  return code >= 0x2010 && code <= 0x2027;
}

function mostRepeated(text: string): { word: string; count: number } {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text.toLowerCase(), LONGER)) {
    if (COMMON.has(word)) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let most = { word: '', count: 0 };
  for (const [word, count] of counts) if (count > most.count) most = { word, count };
  return most;
}

const COMMON: ReadonlySet<string> = new Set([
  'when',
  'with',
  'that',
  'this',
  'user',
  'users',
  'from',
  'asks',
  'skill',
  'wants',
  'about',
  'also',
  'should',
  'using',
  'needs',
  'mentions',
  'even',
  'their',
  'like',
  'into',
  'your',
  'code',
]);
