/**
 * What a frontmatter makes use of beyond block maps, block lists and scalars on one line. Every YAML parser reads these;
 * the smaller readers of other runtimes do not, so `compatibility.ts` asks for them.
 */
export type YamlFeature =
  /** `[a]` or `{a: b}`. */
  | 'flow'
  | 'flow-over-lines'
  /** `[a: b]`, a pair standing in a list. */
  | 'pair-in-flow-list'
  | 'quotes-over-lines'
  | 'anchor'
  | 'tag'
  | 'alias'
  /** `|2`, where the author counts the indentation. */
  | 'indentation-indicator'
  /** Marked with `?`, or made of more than text. */
  | 'complex-key'
  /** `{a}` or `{a: }`, a key without a value. */
  | 'bare-key'
  /** A plain key that YAML takes for a number, a boolean or null. */
  | 'typed-key'
  | 'prototype-key'
  /** `.inf` and `.nan`, which JSON cannot say. */
  | 'infinite-number'
  | 'duplicate-key';

/** Every feature in use, with the 1-based line where it first stands. */
export type YamlFeatures = ReadonlyMap<YamlFeature, number>;
