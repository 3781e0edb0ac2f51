import type { LayerHit, LayerMatches } from './ports.ts';

/** BM25's usual constants: how soon repetition stops to count, and how much a long text is held against a skill. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

export interface Statistics {
  readonly averageLength: number;
  /** What each term of the query is worth: the rarer, the more. */
  readonly weights: readonly number[];
}

/** Statistics of several indexes as if they were one, so that scores of a small layer and a large one can be compared. */
export function statisticsOf(layers: readonly LayerMatches[]): Statistics {
  const sum = (of: (layer: LayerMatches) => number): number =>
    layers.reduce((total, layer) => total + of(layer), 0);
  const skills = sum((layer) => layer.skills);
  const terms = Math.max(0, ...layers.map((layer) => layer.terms.length));
  return {
    averageLength: sum((layer) => layer.length) / Math.max(1, skills),
    weights: Array.from({ length: terms }, (_, index) => {
      const documents = sum((layer) => layer.terms[index] ?? 0);
      // Never negative: a word that most skills have says little, but never speaks against one.
      return Math.log(1 + Math.max(0, skills - documents + 0.5) / (documents + 0.5));
    }),
  };
}

/** BM25 over weighted fields. */
export function scoreOf(
  { frequencies, length }: Pick<LayerHit, 'frequencies' | 'length'>,
  { averageLength, weights }: Statistics,
): number {
  const relative = averageLength === 0 ? 1 : length / averageLength;
  const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative);
  return frequencies.reduce((score, frequency, index) => {
    if (frequency === 0) return score;
    return score + ((weights[index] ?? 0) * frequency * (SATURATION + 1)) / (frequency + norm);
  }, 0);
}
