import { isMap, isScalar, LineCounter, parseDocument, type Document, type Pair } from 'yaml';

/** A YAML text in a file, with the lines that its parts have in that file. */
export class PositionedYaml {
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #firstLine: number;

  /** `firstLine` is how many lines of the file stand before the text. */
  constructor(text: string, firstLine: number) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, version: '1.2', schema: 'core' });
    this.#firstLine = firstLine;
  }

  /** The line of the first fault, where the text is not a map. */
  get fault(): number | null {
    const [error] = this.#document.errors;
    if (error) return this.#line(error.pos[0]);
    return isMap(this.#document.contents) ? null : 1 + this.#firstLine;
  }

  has(path: readonly string[]): boolean {
    return this.#document.hasIn(path);
  }

  value(path: readonly string[]): unknown {
    const node = this.#document.getIn(path, true);
    return isNodeLike(node) ? node.toJSON() : node;
  }

  /** The names in a map; none where there is no map. */
  keys(path: readonly string[]): string[] {
    return this.#pairs(path).flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
  }

  line(path: readonly string[]): number {
    const pair = this.#pairs(path.slice(0, -1)).find(
      ({ key }) => isScalar(key) && String(key.value) === path.at(-1),
    );
    return this.#line(isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0);
  }

  /** Behind which line, and how far in, another member of a map is written. Null unless each has a line of its own. */
  endOf(path: readonly string[]): { readonly line: number; readonly indent: string } | null {
    const map = this.#document.getIn(path, true);
    if (!isMap(map) || map.flow === true || !map.range) return null;
    const [first] = map.items;
    if (!isScalar(first?.key) || !first.key.range) return null;
    // The end of a block is the start of what follows it.
    const end = Math.max(map.range[0], map.range[1] - 1);
    return { line: this.#line(end), indent: ' '.repeat(this.#lines.linePos(first.key.range[0]).col - 1) };
  }

  #line(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line) + this.#firstLine;
  }

  #pairs(path: readonly string[]): readonly Pair[] {
    const map = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    return isMap(map) ? map.items : [];
  }
}

function isNodeLike(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value;
}
