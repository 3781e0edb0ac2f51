import { PROMPT_LIMITS } from '../core/limits.ts';

/** A part of the result that did not come from the body. */
export interface Substitution {
  /** As it stands in the body; empty for the line of arguments that is added at the end. */
  readonly placeholder: string;
  /** UTF-16 units from the start of the result; `end` is the one after the last. */
  readonly start: number;
  readonly end: number;
  /** `marker`: our own words in the place of a command that was not run. */
  readonly source: 'arguments' | 'variable' | 'command' | 'marker';
}

/** The result while it grows: parts of the body, and between them what replaces the rest of it. */
export class ExpandedText {
  readonly substitutions: Substitution[] = [];
  readonly #body: string;
  readonly #parts: string[] = [];
  #changes = 0;
  #inserted = 0;
  #length = 0;
  #read = 0;

  constructor(body: string) {
    this.#body = body;
  }

  /** Copies the body up to `start`, and goes on reading it at `end`. */
  skip(start: number, end: number): void {
    this.#changes += 1;
    this.append(this.#body.slice(this.#read, start));
    this.#read = end;
  }

  /** Whether one more change can be made, and a text of this length inserted. */
  hasRoomFor(value: string): boolean {
    return (
      this.#changes < PROMPT_LIMITS.changes &&
      this.#inserted + value.length <= PROMPT_LIMITS.insertedCharacters
    );
  }

  /** Puts a text in the place of `start` to `end`. */
  replace(start: number, end: number, value: string, source: Substitution['source']): void {
    this.skip(start, end);
    this.insert(this.#body.slice(start, end), value, source);
  }

  insert(placeholder: string, value: string, source: Substitution['source']): void {
    const start = this.#length;
    this.substitutions.push({ placeholder, start, end: start + value.length, source });
    this.#inserted += value.length;
    this.append(value);
  }

  append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  toString(): string {
    return this.#parts.join('');
  }
}
