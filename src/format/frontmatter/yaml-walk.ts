import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Json } from '../../core/canonical-json.ts';
import type { YamlFeature } from './yaml-features.ts';

/** A plain key that a YAML 1.2 core parser does not take for text. */
const TYPED_KEY =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?\d[\d.eE+-]*|0x[\da-fA-F]+|0o[0-7]+)$/;
const INDENTATION_INDICATOR = /^[|>][+-]?\d/;

/** Turns a YAML tree into JSON in one walk, noting on the way what other readers could stumble over. */
export class YamlWalk {
  /** First offset of each feature in use. */
  readonly features = new Map<YamlFeature, number>();
  readonly duplicates: { key: string; offset: number }[] = [];
  alias: { name: string; offset: number } | null = null;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJson(node: unknown): Json {
    if (isScalar(node)) {
      this.#noteProperties(node);
      return this.#scalar(node);
    }
    if (isSeq(node)) return this.#list(node);
    if (isMap(node))
      return Object.fromEntries(this.members(node).map(([key, , value]) => [key, this.toJson(value)]));
    if (isAlias(node)) {
      this.alias ??= { name: node.source, offset: node.range?.[0] ?? 0 };
      this.#note('alias', node);
    }
    return null;
  }

  /** The members of a map: key, its offset, and the value's node. A key that stands twice is listed twice. */
  members(map: YAMLMap): [string, number, unknown][] {
    this.#noteProperties(map);
    const seen = new Set<string>();
    return map.items.map((pair) => {
      const key = this.#key(pair);
      const offset = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      if (map.flow && isValueless(pair)) this.#first('bare-key', offset);
      if (seen.has(key)) {
        this.duplicates.push({ key, offset });
        this.#first('duplicate-key', offset);
      }
      seen.add(key);
      return [key, offset, pair.value];
    });
  }

  #list(list: YAMLSeq): Json {
    this.#noteProperties(list);
    return list.items.map((item) => {
      if (list.flow && isMap(item) && this.#text[item.range?.[0] ?? 0] !== '{')
        this.#note('pair-in-flow-list', item);
      return isPair(item) ? { [this.#key(item)]: this.toJson(item.value) } : this.toJson(item);
    });
  }

  #scalar(node: Scalar): Json {
    const { value } = node;
    if (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE) {
      if (this.#spansLines(node)) this.#note('quotes-over-lines', node);
    } else if (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED) {
      const start = node.range?.[0] ?? 0;
      if (INDENTATION_INDICATOR.test(this.#text.slice(start, start + 3)))
        this.#note('indentation-indicator', node);
    }
    // An escape can name half a character.
    if (typeof value === 'string') return node.type === Scalar.QUOTE_DOUBLE ? value.toWellFormed() : value;
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    // Tags make values of their own (`!!binary`, `!!timestamp`); what the author wrote says more.
    if (typeof value === 'number') this.#note('infinite-number', node);
    return node.source ?? String(value);
  }

  #key(pair: Pair): string {
    const { key } = pair;
    if (!isScalar(key)) {
      if (isNode(key)) this.#note('complex-key', key);
      return isNode(key) ? String(key) : String(key ?? '');
    }
    this.#noteProperties(key);
    const text = String(key.value).toWellFormed();
    if (key.type === Scalar.PLAIN && TYPED_KEY.test(text)) this.#note('typed-key', key);
    if (text === '__proto__') this.#note('prototype-key', key);
    const start = key.range?.[0] ?? 0;
    if (this.#text[start] === '?' || this.#text.startsWith('? ', start - 2)) this.#note('complex-key', key);
    return text;
  }

  #noteProperties(node: Scalar | YAMLMap | YAMLSeq): void {
    if (node.anchor !== undefined) this.#note('anchor', node);
    if (node.tag !== undefined) this.#note('tag', node);
    if (!isScalar(node) && node.flow) {
      this.#note('flow', node);
      if (this.#spansLines(node)) this.#note('flow-over-lines', node);
    }
  }

  #spansLines(node: Scalar | YAMLMap | YAMLSeq): boolean {
    const [start, end] = node.range ?? [0, 0];
    const lineEnd = this.#text.indexOf('\n', start);
    return lineEnd !== -1 && lineEnd < end;
  }

  #note(feature: YamlFeature, node: { range?: readonly number[] | null | undefined }): void {
    this.#first(feature, node.range?.[0] ?? 0);
  }

  #first(feature: YamlFeature, offset: number): void {
    if (!this.features.has(feature)) this.features.set(feature, offset);
  }
}

/** `{a}` or `{a: }`. */
function isValueless({ value }: Pair): boolean {
  return value === null || (isScalar(value) && value.source === '' && value.type === Scalar.PLAIN);
}

/** The node at `path`, or the nearest one around it: what a remark about a value should point at. */
export function offsetAt(start: unknown, path: readonly (string | number)[], otherwise: number): number {
  let node = start;
  let offset = otherwise;
  for (const step of path) {
    if (isSeq(node)) {
      const item = typeof step === 'number' ? node.items[step] : undefined;
      if (!isNode(item)) return offset;
      node = item;
      offset = item.range?.[0] ?? offset;
    } else if (isMap(node)) {
      const pair = node.items.findLast(
        (candidate) => isScalar(candidate.key) && candidate.key.value === step,
      );
      if (!pair) return offset;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else {
      return offset;
    }
  }
  return offset;
}
