/** A part of the result that did not come from the body. */
export interface Substitution {
  /** As it stands in the body; empty for the line of arguments that is added at the end. */
  readonly placeholder: string;
  /** UTF-16 units from the start of the result. */
  readonly offset: number;
  readonly length: number;
  readonly source: 'arguments' | 'variable';
}

/** The result while it grows: parts of the body, and between them what replaces the rest of it. */
export class ExpandedText {
  readonly substitutions: Substitution[] = [];
  /** UTF-16 units that did not come from the body. */
  inserted = 0;
  readonly #body: string;
  readonly #parts: string[] = [];
  #length = 0;
  #read = 0;

  constructor(body: string) {
    this.#body = body;
  }

  /** Copies the body up to `start`, and goes on reading it at `end`. */
  skip(start: number, end: number): void {
    this.append(this.#body.slice(this.#read, start));
    this.#read = end;
  }

  insert(placeholder: string, value: string, source: Substitution['source']): void {
    this.substitutions.push({ placeholder, offset: this.#length, length: value.length, source });
    this.inserted += value.length;
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
