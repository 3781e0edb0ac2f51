/** White space of any kind is one character to a search, so that a word with a space is found over a line's end. */
const SPACE = 0x20;
const WHITE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);

/**
 * Finds many words in one pass over bytes, without regard to ASCII case (Aho and Corasick's automaton). Words are lower
 * case; those that are bytes are taken as they are. A step costs one look into a table, whatever the bytes are.
 */
export class WordSearch {
  /** Bytes that no word has are one class. */
  readonly #classes = new Uint8Array(256);
  readonly #shift: number;
  /** The state after each state and class; states that end a word come last. */
  readonly #next: Uint16Array;
  readonly #firstEnding: number;
  /** Words that end in each of the ending states. */
  readonly #endings: readonly (readonly number[])[];

  constructor(words: readonly (string | Uint8Array)[]) {
    const encoded = words.map((word) => (typeof word === 'string' ? new TextEncoder().encode(word) : word));
    let classes = 1;
    for (const byte of new Set(encoded.flatMap((bytes) => [...bytes]))) this.#classes[byte] = classes++;
    for (let byte = 0x41; byte <= 0x5a; byte += 1) this.#classes[byte] = this.#classes[byte + 0x20] ?? 0;
    for (const byte of WHITE) this.#classes[byte] = this.#classes[SPACE] ?? 0;
    this.#shift = Math.ceil(Math.log2(classes));
    const nodes = trie(encoded.map((bytes) => bytes.map((byte) => this.#classes[byte] ?? 0)));
    linkFailures(nodes);
    // Stable, so the root stays first: no word is empty.
    const order = [...nodes].toSorted(
      (left, right) => Number(left.ends.length > 0) - Number(right.ends.length > 0),
    );
    const states = new Map(order.map((node, state) => [node, state]));
    this.#firstEnding = order.filter(({ ends }) => ends.length === 0).length;
    this.#endings = order.slice(this.#firstEnding).map(({ ends }) => ends);
    this.#next = new Uint16Array(order.length << this.#shift);
    for (const [state, node] of order.entries())
      for (const [unit, target] of node.next)
        this.#next[(state << this.#shift) | unit] = states.get(target) ?? 0;
  }

  /** Calls back for each word that is found, with its number and where it ends, in the order of ends. */
  search(bytes: Uint8Array, found: (word: number, end: number) => void): void {
    const [next, classes, shift, firstEnding] = [this.#next, this.#classes, this.#shift, this.#firstEnding];
    let state = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      state = next[(state << shift) | (classes[bytes[at] ?? 0] ?? 0)] ?? 0;
      if (state < firstEnding) continue;
      for (const word of this.#endings[state - firstEnding] ?? []) found(word, at + 1);
    }
  }
}

interface Node {
  /** In the trie its children, and once failures are linked the node after each class. */
  readonly next: Map<number, Node>;
  readonly ends: number[];
}

/** Nodes in the order of their depth. */
function trie(words: readonly Uint8Array[]): Node[] {
  const root: Node = { next: new Map(), ends: [] };
  for (const [word, units] of words.entries()) {
    let node = root;
    for (const unit of units) {
      const child: Node = node.next.get(unit) ?? { next: new Map(), ends: [] };
      node.next.set(unit, child);
      node = child;
    }
    node.ends.push(word);
  }
  const nodes = [root];
  for (const node of nodes) nodes.push(...node.next.values());
  return nodes;
}

/** Gives each node the step of its longest proper suffix wherever it has none of its own, and the words that end there. */
function linkFailures(nodes: readonly Node[]): void {
  const [root] = nodes;
  if (root === undefined) return;
  const failures = new Map<Node, Node>([...root.next.values()].map((child) => [child, root]));
  for (const node of nodes.slice(1)) {
    const failure = failures.get(node) ?? root;
    for (const [unit, child] of node.next) failures.set(child, failure.next.get(unit) ?? root);
    for (const [unit, target] of failure.next) if (!node.next.has(unit)) node.next.set(unit, target);
    node.ends.push(...failure.ends);
  }
}
