import type { ExpansionRules } from './expansion-mode.ts';
import { NestedValues } from './nested-values.ts';
import type { Placeholder, PlaceholderReader } from './placeholders.ts';

export type ArgumentPlaceholder = Exclude<Placeholder, { readonly kind: 'variable' }>;

/** The arguments of one call. The line is split only once somebody asks for a word of it. */
export class ArgumentValues {
  readonly line: string;
  readonly #rules: ExpansionRules;
  readonly #untouched: boolean;
  readonly #nested: NestedValues | null;
  #words: readonly string[] | null = null;

  constructor(line: string | undefined, rules: ExpansionRules, names: number, read: PlaceholderReader) {
    this.line = line ?? '';
    this.#rules = rules;
    this.#untouched = line === undefined && rules.withoutArguments === 'untouched';
    this.#nested = rules.nested ? new NestedValues(this.line, () => this.words, names, read) : null;
  }

  get words(): readonly string[] {
    this.#words ??= this.#rules.split(this.line);
    return this.#words;
  }

  /** The text for a placeholder, or null where it stays. */
  valueOf(found: ArgumentPlaceholder): string | null {
    if (this.#untouched) return null;
    if (this.#nested !== null) return this.#nested.valueOf(found);
    if (found.kind === 'line') return this.line;
    const otherwise = found.kind === 'named' || this.#rules.missing === 'empty' ? '' : null;
    return this.words[found.position] ?? otherwise;
  }

  /** Whether a backslash keeps a placeholder. */
  get escapes(): boolean {
    return this.#rules.escapes && !this.#untouched;
  }
}
