import { Buffer, isAscii } from 'node:buffer';
import { SCAN_LIMITS } from '../core/limits.ts';
import { lowered, loweredBy, type Surroundings } from './context.ts';
import type { Decoder, Payload } from './decode/payload.ts';
import type { Severity } from './finding.ts';
import type { Place, TextModel } from './place.ts';
import { Places } from './places.ts';
import { rangeAround } from './reach.ts';
import type { PatternRule } from './rule.ts';
import type { RuleSet } from './rule-set.ts';
import { SEVERITIES } from './severity.ts';
import { Units } from './units.ts';

/** A rule's match. Offsets are those of the file's text, UTF-16 units; of something decoded, of what it was decoded from. */
export interface Match {
  readonly rule: PatternRule;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
  /** The text that the rule was tried on and where in it the match is, where that is not the file's text. */
  readonly decoded: { readonly text: string; readonly start: number; readonly end: number } | null;
}

/** What one file, with all that is encoded in it, may cost; used up as it is scanned. */
export interface Effort {
  /** Characters that patterns are still tried on. */
  characters: number;
  /** Characters of decoded texts. */
  decoded: number;
  complete: boolean;
}

interface Text {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** The same decoded. */
  readonly read: () => string;
  readonly modelOf: (text: string) => TextModel;
  /** How often it was decoded. */
  readonly depth: number;
}

/** Tries every rule whose words are in a text, and then on what is encoded in it. Yields matches in no particular order. */
export function* scanText(
  rules: RuleSet,
  { bytes, read, modelOf, depth }: Text,
  surroundings: () => Surroundings,
  effort: Effort,
): Generator<Match> {
  const places = rules.places(bytes);
  // Most texts have nothing that anybody wants to look at.
  if (places.rules.size === 0 && places.decoders.size === 0) return;
  const text = read();
  const units = text.length === bytes.length ? null : new Units(bytes);
  const model = lazily(() => modelOf(text));
  for (const [rule, ends] of places.rules)
    yield* tryRule(rule, new Places(ends, units), text, model, surroundings, effort);
  if (depth >= SCAN_LIMITS.decodedDepth) return;
  for (const [decoder, ends] of places.decoders) {
    for (const payload of boundedPayloads(decoder, text, new Places(ends, units), effort)) {
      const encoded = new TextEncoder().encode(payload.text);
      const inner = {
        bytes: encoded,
        read: () => decodeText(encoded),
        modelOf: () => payloadModel(payload, model()),
        depth: depth + 1,
      };
      for (const match of scanText(rules, inner, surroundings, effort)) {
        const decoded = match.decoded ?? { text: payload.text, start: match.start, end: match.end };
        yield { ...match, start: payload.start, end: payload.end, decoded };
      }
    }
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** A mark at its beginning is kept, so that offsets are those of the bytes. */
export function decodeText(bytes: Uint8Array): string {
  // Most texts are ASCII, which need not be decoded but copied.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return UTF8.decode(bytes);
}

export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** What trying a pattern costs in characters, however short the line is. */
const RANGE_COST = 16;
/** A pattern begins at each of its words, and may read on from there: so many more words cost as much as all of a range. */
const WORDS_AT_ONCE = 16;

function* tryRule(
  rule: PatternRule,
  places: Places,
  text: string,
  model: () => TextModel,
  surroundings: () => Surroundings,
  effort: Effort,
): Generator<Match> {
  let range = { start: -1, end: -1 };
  let [tried, reported] = [0, 0];
  let isBeside = rule.beside === undefined;
  for (let at = places.next(-1); at !== null; at = places.next(range.end)) {
    effort.characters -= (places.passed / WORDS_AT_ONCE) * (range.end - range.start);
    range = rangeAround(text, at, rule.reach);
    effort.characters -= range.end - range.start + RANGE_COST;
    if (effort.characters < 0) {
      effort.complete = false;
      return;
    }
    const part = joinLines(text.slice(range.start, range.end));
    if (rule.unlessNear?.test(part) || rule.near?.test(part) === false) continue;
    const { pattern } = rule;
    pattern.lastIndex = 0;
    // Hardly ever does one match, so that nothing is made for it that only a match needs.
    if (!pattern.test(part)) continue;
    for (const { index, 0: found } of matchesIn(pattern, part)) {
      if (rule.unless?.test(found)) continue;
      const start = range.start + index;
      isBeside ||= rule.beside?.test(textAround(text, start)) === true;
      if (!isBeside) return;
      const end = start + found.length;
      tried += 1;
      const severity = lowered(
        rule.severity,
        loweredBy(rule.reads, model().placeOf(start, end), surroundings()),
      );
      if (severity === null) continue;
      yield { rule, severity, start, end, decoded: null };
      if (severity === rule.severity) reported += 1;
      // More of the same tells nobody anything; less than it is worth may yet be followed by all of it.
      if (reported >= SCAN_LIMITS.matchesOfRule) return;
    }
    if (tried >= SCAN_LIMITS.triesOfRule) {
      effort.complete = false;
      return;
    }
  }
}

/** All of a file that people write; of a longer one what is nearest, since patterns across lines cost much on all of it. */
function textAround(text: string, at: number): string {
  const start = Math.max(0, at - SCAN_LIMITS.besideCharacters / 2);
  return text.slice(start, start + SCAN_LIMITS.besideCharacters);
}

function* matchesIn(pattern: RegExp, part: string): Generator<RegExpExecArray> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
    const next = pattern.lastIndex;
    yield match;
    pattern.lastIndex = Math.max(next, match.index + 1);
  }
}

/** A shell reads on behind a backslash at a line's end; offsets stay what they are. */
function joinLines(part: string): string {
  return part.includes('\\\n') ? part.replaceAll('\\\n', '  ') : part;
}

/** What a payload costs in characters, whatever is in it. */
const PAYLOAD_COST = 100;

function* boundedPayloads(
  decoder: Decoder,
  text: string,
  places: Places,
  effort: Effort,
): Generator<Payload> {
  for (const payload of decoder.decode(text, places)) {
    // Each costs something, however short it is.
    effort.decoded -= payload.text.length + PAYLOAD_COST;
    if (effort.decoded < 0) {
      effort.complete = false;
      return;
    }
    yield payload;
  }
}

/** What was encoded counts in full; what was only disguised counts as what is around it does. */
function payloadModel({ kind, start, end, text }: Payload, model: TextModel): TextModel {
  if (kind === 'plain')
    return {
      placeOf: (from, to) => ({
        ...model.placeOf(Math.min(start + from, end), Math.min(start + to, end)),
        before: text.slice(0, from),
        after: text.slice(to),
      }),
    };
  const place: Place = { zone: 'decoded', before: '', after: '', lead: '', headings: [] };
  return { placeOf: () => place };
}

/** The worse of two severities first. */
export function bySeverity(left: { severity: Severity }, right: { severity: Severity }): number {
  return SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity);
}
