import { PROMPT_LIMITS } from '../core/limits.ts';
import type { ArgumentPlaceholder } from './argument-values.ts';
import type { Placeholder, PlaceholderReader } from './placeholders.ts';

/**
 * The arguments as Claude Code's baseline inserts them, in passes: each declared name in turn, `$ARGUMENTS[N]`, `$N`,
 * `$ARGUMENTS`, variables. What one pass inserts, the later ones read again. A placeholder that only comes about where
 * an inserted text meets its neighbours is not read.
 */
export class NestedValues {
  readonly #line: string;
  readonly #words: () => readonly string[];
  readonly #names: number;
  readonly #read: PlaceholderReader;
  readonly #values = new Map<string, string | null>();
  /** Characters that may still be made. Names that double each other would fill any memory. */
  #left = PROMPT_LIMITS.insertedCharacters;

  constructor(line: string, words: () => readonly string[], names: number, read: PlaceholderReader) {
    this.#line = line;
    this.#words = words;
    this.#names = names;
    this.#read = read;
  }

  /** The text for a placeholder; null where it would be too long. */
  valueOf(found: ArgumentPlaceholder): string | null {
    // From the last name to the first: each can only need later ones, so nothing recurses deeper than the four passes.
    if (found.kind === 'named') {
      const last = Math.min(this.#names, this.#words().length) - 1;
      for (let position = last; position > found.position; position -= 1) this.#value(position, position);
    }
    return this.#value(this.#passOf(found), 'position' in found ? found.position : 0);
  }

  #passOf(found: Placeholder): number {
    if (found.kind === 'named') return found.position;
    if (found.kind === 'indexed') return this.#names + (found.bare ? 1 : 0);
    return this.#names + (found.kind === 'line' ? 2 : 3);
  }

  #value(pass: number, position: number): string | null {
    const key = `${pass}:${position}`;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    // `replaceAll` with a text reads `$$` and `$&` as patterns.
    const isLine = pass === this.#names + 2;
    const inserted = isLine
      ? this.#line.replaceAll(/\$[$&]/g, (pair) => (pair === '$$' ? '$' : '$ARGUMENTS'))
      : (this.#words()[position] ?? '');
    const value = this.#again(inserted, pass);
    this.#values.set(key, value);
    return value;
  }

  /** A text with everything filled in that passes after `pass` find in it. */
  #again(text: string, pass: number): string | null {
    const parts: string[] = [];
    let copied = 0;
    for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', Math.max(at + 1, copied))) {
      const read = this.#read(text, at);
      const found = read !== null && this.#passOf(read) <= pass ? this.#laterReading(text, at) : read;
      if (found === null || this.#passOf(found) <= pass) continue;
      const value =
        found.kind === 'variable'
          ? found.value
          : this.#value(this.#passOf(found), 'position' in found ? found.position : 0);
      if (value === null) return null;
      parts.push(text.slice(copied, at), value);
      this.#left -= value.length;
      if (this.#left < 0) return null;
      copied = found.end;
    }
    return parts.join('') + text.slice(copied);
  }

  /** `$ARGUMENTS[0]` is `$ARGUMENTS` and some text to the pass that only knows that. */
  #laterReading(text: string, at: number): Placeholder | null {
    const end = at + '$ARGUMENTS'.length;
    return text.startsWith('$ARGUMENTS', at) ? { kind: 'line', end } : null;
  }
}
