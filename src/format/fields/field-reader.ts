import type { Json } from '../../core/canonical-json.ts';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../diagnostic.ts';
import type { FrontmatterKey, ValuePath } from '../frontmatter-key.ts';
import type { FormatMode } from '../modes.ts';

const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** Reads the values of a frontmatter by their type. A wrong value is reported and ignored, never an exception. */
export class FieldReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly keys: ReadonlyMap<string, FrontmatterKey>;
  readonly mode: FormatMode;
  readonly #path: string;

  constructor(keys: ReadonlyMap<string, FrontmatterKey>, mode: FormatMode, path: string) {
    this.keys = keys;
    this.mode = mode;
    this.#path = path;
  }

  /** What the author wrote behind the key; undefined where nothing stands there. */
  value(key: string): Json | undefined {
    return this.keys.get(key)?.value ?? undefined;
  }

  /** A remark on the value of `key`, or on what lies at `at` inside of it. */
  remark(code: DiagnosticCode, key: string, message: string, at: ValuePath = []): void {
    const { line, column } = this.keys.get(key)?.placeAt(at) ?? { line: 1 };
    this.diagnostics.push(diagnostic(code, this.#path, line, message, column));
  }

  invalid(key: string, wanted: string, at: ValuePath = []): void {
    this.remark('field-invalid', key, `${[key, ...at].join('.')} is not ${wanted}`, at);
  }

  /** Numbers and switches are spelled as the author did. */
  text(key: string): string | null {
    const entry = this.keys.get(key);
    if (!entry || entry.value === null) return null;
    if (typeof entry.value === 'string') return entry.value.trim() || null;
    if (typeof entry.value === 'object') {
      this.invalid(key, 'text');
      return null;
    }
    return entry.source ?? String(entry.value);
  }

  flag(key: string, otherwise: boolean): boolean {
    const spelled = this.text(key);
    if (spelled === null) return otherwise;
    const word = spelled.toLowerCase();
    if (this.mode.booleans === 'true-only') return spelled === 'true';
    if (TRUE.has(word)) return true;
    if (!FALSE.has(word)) this.invalid(key, 'yes or no');
    return FALSE.has(word) ? false : otherwise;
  }

  /** A list, or one text that `split` takes apart. */
  list(key: string, split: (value: string) => string[]): string[] {
    const value = this.value(key);
    if (!isList(value)) {
      const text = this.text(key);
      return text === null ? [] : split(text);
    }
    return value.flatMap((item, index) => {
      if (item !== null && typeof item !== 'object') return String(item).trim() || [];
      if (item !== null) this.invalid(key, 'text', [index]);
      return [];
    });
  }

  choice<Value extends string>(key: string, values: readonly Value[]): Value | null {
    const value = this.text(key)?.toLowerCase();
    if (value === undefined) return null;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) this.invalid(key, `one of ${values.join(', ')}`);
    return found ?? null;
  }

  /** A map; one that was written as JSON text is `read-metadata.ts`'s business. */
  map(key: string): JsonMap | null {
    const value = this.value(key);
    if (value === undefined || isMap(value)) return value ?? null;
    this.invalid(key, 'a map');
    return null;
  }
}

export type JsonMap = { readonly [key: string]: Json | undefined };

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The text of a member, null where it is none. */
export function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value.trim() || null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
