import { SEVERITIES } from './severity.ts';
import type { Severity } from './finding.ts';
import type { Place, Zone } from './place.ts';
import type { Reading } from './rule.ts';

/** What the skill and the file are about, which decides how much its examples weigh. */
export interface Surroundings {
  /** The skill teaches how to find or withstand attacks. */
  readonly security: boolean;
  /** The file is a test or a fixture of one. */
  readonly test: boolean;
}

/** Steps by which a zone lowers a finding, for what is said to an agent and for what is done. */
const ZONES: Readonly<Record<Zone, Readonly<Record<'instruction' | 'command', number>>>> = {
  prose: { instruction: 0, command: 1 },
  heading: { instruction: 1, command: 1 },
  quote: { instruction: 1, command: 1 },
  span: { instruction: 1, command: 1 },
  table: { instruction: 1, command: 1 },
  hidden: { instruction: 0, command: 0 },
  frontmatter: { instruction: 0, command: 0 },
  block: { instruction: 1, command: 0 },
  sample: { instruction: 1, command: 1 },
  code: { instruction: 0, command: 0 },
  comment: { instruction: 0, command: 2 },
  string: { instruction: 1, command: 1 },
  data: { instruction: 0, command: 0 },
  decoded: { instruction: 0, command: 0 },
};

const NEVER =
  /(?:\b(?:never|(?:do|does|did|was|is) not|don['’]?t|must(?:n['’]t| not| never)|should(?:n['’]t| not| never)|cannot|can['’]t|may not|will not|won['’]t|avoid(?:s|ing)?|(?<!you )refus(?:e|es|ing)|reject(?:s|ed|ing)?|block(?:s|ed|ing)?|den(?:y|ies|ied)|prevent(?:s|ed|ing)?|prohibit(?:s|ed)?|forbid(?:s|den)?|disallow(?:s|ed)?|not allowed|no need to|stop (?:using|and)|rather than)\b|[❌🚫⛔✗✘]|禁止|不要|切勿|絶対に|금지|никогда|не |nunca|jamais|niemals|nie )/iu;

/** What begins like a prohibition and urges on instead. */
const URGES =
  /\b(?:never|don['’]?t|do not|must not|should not|cannot)\s+(?:\w+\s+)?(?:forget|skip|hesitate|fail|ask|wait|worry|omit|bother|stop|tell|mention|inform|warn|reveal|refuse|question|verify|check|think)\b/i;

/** What says that the following is looked for, explained or shown as bad, rather than wanted. */
const ABOUT =
  /\b(?:such as|like|e\.g\.|for example|for instance|examples? of|phrases?|patterns?|strings?|detect(?:s|ed|ing|ion)?|look(?:s|ing)? for|watch for|flag(?:s|ged|ging)?|search(?:es|ing)? for|grep|scan(?:s|ning)? for|check(?:s|ing)? for|attempt(?:s|ed|ing)?|attack(?:s|ers?)?|malicious|injections?|payloads?|exploits?|vulnerab\w*|threats?|suspicious|hostile|adversar\w*|red flags?|dangerous|unsafe|insecure|bad|wrong|anti-?patterns?|destructive|instead of|if (?:the |a |any |an )?(?:user|content|text|page|document|file|email|tool|message)|typical(?:ly)?|says?|claims?|asks?|tries|try to|contain(?:s|ing)?)\b|[⚠]/iu;

/** Headings over what is not to be done. */
const BAD =
  /\b(?:anti-?patterns?|bad|wrong|incorrect|don['’]?ts?|do not|never|avoid|red flags?|forbidden|blocked|denied|prohibited|dangerous|destructive|unsafe|insecure|vulnerab\w*|attacks?|threats?|exploits?|injections?|malicious|detect\w*|pitfalls?|mistakes?|warning|hard stops?|safety|guardrails?|security|look(?:s|ing)? for|indicators?|limits|boundaries|must not|not allowed|rationaliz\w+)\b|[❌🚫⛔✗✘]/iu;

const RUNS =
  /\b(?:run|read|open|load|copy|do|execute|exec|type|paste|launch|invoke|use|call|install|start|first|then|fetch|before (?:anything|everything)|by running|with)\b[^.]{0,60}$/i;

/** What introduces an act that its user is not to see, whatever else it says. */
const UNSEEN = /\b(?:without (?:asking|telling|showing)|silently|secretly)\b/i;

/** What makes a program of a string. */
const EXECUTES =
  /(?:\b(?:system|exec\w*|spawn\w*|popen|run|call|check_output|check_call|eval|shell|subprocess|sh|bash|zsh|cmd|powershell|invoke-expression|iex|command|cmd|script|post(?:install)?|pre(?:install)?|onload|worker|binpath|copy-item|get-content|move-item|psql|mysql|sqlite3|mongosh?|redis-cli)\b|`)/i;

/** What makes one of it behind it. */
const PIPED = /\|\s*(?:sudo\s+)?(?:\w{0,4}sh|crontab|tee|python[\d.]*|at)\b|>>/;

/** By how many steps a match counts less than its rule says. */
export function loweredBy(reads: Reading, place: Place, surroundings: Surroundings): number {
  if (reads === 'presence') return surroundings.test ? 1 : 0;
  const { zone, before, after, lead, headings } = place;
  let steps = ZONES[zone][reads];
  // A lesson about hidden text hides some; a hidden act is one.
  if (zone === 'decoded') return reads === 'instruction' && surroundings.security ? steps + 1 : steps;
  // A program does what stands in it, whatever it says of that.
  if (zone === 'code') return surroundings.test ? 1 : 0;
  const written = zone !== 'data' && zone !== 'frontmatter';
  if (reads === 'command') {
    if ((zone === 'span' || zone === 'prose') && RUNS.test(before)) steps -= 1;
    if (zone === 'string' && (EXECUTES.test(before) || PIPED.test(after))) steps -= 1;
  }
  if (forbids(before) || (written && forbidsBehind(after))) steps += 2;
  else if (written && (ABOUT.test(before) || (zone !== 'string' && isQuoted(before, after)))) steps += 1;
  if (written && ((BAD.test(lead) && !UNSEEN.test(lead)) || headings.some((heading) => BAD.test(heading))))
    steps += 1;
  if (zone === 'data' && LISTS.test(before)) steps += 2;
  if (surroundings.security && written) steps += 1;
  if (surroundings.test) steps += 1;
  return Math.max(0, steps);
}

/** A severity some steps lower; null where nothing is left of it. */
export function lowered(severity: Severity, steps: number): Severity | null {
  return SEVERITIES[SEVERITIES.indexOf(severity) - steps] ?? null;
}

/** In the value of a key that says what somebody looks for, or forbids; not merely behind it. */
const LISTS =
  /["']?\b(?:\w{0,20}patterns?|deny|denied|block(?:ed|list)?|forbidden|dangerous|signatures?|indicators?|detections?|examples?)["']?\s*[:=]\s*(?:\[[^\]{}]*|["'][^"']*)$/i;

function forbids(before: string): boolean {
  return NEVER.test(before) && !URGES.test(before);
}

function forbidsBehind(after: string): boolean {
  return /^[`"'”’)\s]{0,4}(?:,\s*|[-–—:→]\s*|(?:is|are|must|should|will be|gets?)\s+)(?:strictly |always |be |explicitly )?(?:never|not|forbidden|prohibited|blocked|denied|refused|rejected|dangerous|unsafe|malicious|disallowed|❌|(?:do not|don['’]t) (?:follow|obey|comply))/i.test(
    after,
  );
}

/** An odd mark in front of it and one behind it. */
function isQuoted(before: string, after: string): boolean {
  return (
    /["“”«「『]\s*$/.test(before) || ((before.match(/"/g)?.length ?? 0) % 2 === 1 && after.includes('"'))
  );
}
