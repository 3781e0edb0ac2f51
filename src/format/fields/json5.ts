import type { Json } from '../../core/canonical-json.ts';
import { SKILL_LIMITS } from '../../core/limits.ts';

const SPACE = /[\s\uFEFF]*/y;
const COMMENT = /\/\/[^\n\r\u2028\u2029]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;
const NAME = /[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*/uy;
const NUMBER = /[-+]?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y;
const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }),
);
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads JSON5, which is how OpenClaw takes `metadata` where it is text: comments, single quotes, bare names, commas at the
 * end, hexadecimal numbers. Undefined where it is none, is nested too deep, or says what JSON cannot.
 */
export function parseJson5(text: string): Json | undefined {
  try {
    const reader = new Json5Reader(text);
    const value = reader.value(0);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson5) return undefined;
    throw error;
  }
}

class NotJson5 extends Error {}

class Json5Reader {
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#skip();
    return this.#index === this.#text.length;
  }

  value(depth: number): Json {
    if (depth > SKILL_LIMITS.frontmatterDepth) throw new NotJson5();
    this.#skip();
    const character = this.#text[this.#index];
    if (character === '{') return this.#map(depth);
    if (character === '[') return this.#list(depth);
    if (character === '"' || character === "'") return this.#string();
    const number = this.#match(NUMBER);
    if (number !== null) return asNumber(number);
    const word = WORDS.get(this.#match(NAME) ?? '');
    if (word === undefined) throw new NotJson5();
    return word;
  }

  #map(depth: number): Json {
    const members: [string, Json][] = [];
    this.#index += 1;
    while (!this.#take('}')) {
      const quoted = this.#text[this.#index] === '"' || this.#text[this.#index] === "'";
      const key = quoted ? this.#string() : this.#match(NAME);
      if (key === null || !this.#take(':')) throw new NotJson5();
      members.push([key, this.value(depth + 1)]);
      if (!this.#take(',') && !this.#peek('}')) throw new NotJson5();
    }
    return Object.fromEntries(members);
  }

  #list(depth: number): Json {
    const items: Json[] = [];
    this.#index += 1;
    while (!this.#take(']')) {
      items.push(this.value(depth + 1));
      if (!this.#take(',') && !this.#peek(']')) throw new NotJson5();
    }
    return items;
  }

  #string(): string {
    const quote = this.#text[this.#index];
    let result = '';
    for (this.#index += 1; this.#index < this.#text.length; this.#index += 1) {
      const character = this.#text[this.#index];
      if (character === quote) {
        this.#index += 1;
        return result.toWellFormed();
      }
      if (character === '\n' || character === '\r') break;
      result += character === '\\' ? this.#escape() : character;
    }
    throw new NotJson5();
  }

  /** Stands on the backslash, and at the end on the last character of the escape. */
  #escape(): string {
    this.#index += 1;
    const character = this.#text[this.#index] ?? '';
    if (character === 'u' || character === 'x') {
      const digits = this.#text.slice(this.#index + 1, this.#index + (character === 'u' ? 5 : 3));
      if (!/^(?:[\da-fA-F]{2}|[\da-fA-F]{4})$/.test(digits)) throw new NotJson5();
      this.#index += digits.length;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (character === '\r' && this.#text[this.#index + 1] === '\n') this.#index += 1;
    if (/[\n\r\u2028\u2029]/.test(character)) return '';
    return ESCAPES.get(character) ?? character;
  }

  #take(character: string): boolean {
    const found = this.#peek(character);
    if (found) this.#index += 1;
    this.#skip();
    return found;
  }

  #peek(character: string): boolean {
    this.#skip();
    return this.#text[this.#index] === character;
  }

  #skip(): void {
    do this.#match(SPACE);
    while (this.#match(COMMENT) !== null);
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#index;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#index = pattern.lastIndex;
    return found;
  }
}

function asNumber(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const number = sign * Number(text.replace(/^[-+]/, ''));
  if (!Number.isFinite(number)) throw new NotJson5();
  return number;
}
