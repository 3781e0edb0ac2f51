import { commaRanges, matchBraces } from './braces.ts';

/** How far braces may multiply: results, and characters of all results together. */
export interface ExpansionBudget {
  readonly patterns: number;
  readonly characters: number;
}

/** Nobody writes alternatives in alternatives deeper than this, and the expansion recurses. */
const DEEPEST = 16;

/**
 * `a/{b,c{d,e}}` becomes `a/b`, `a/cd`, `a/ce`. A single alternative loses its braces; empty and unclosed ones stay as
 * they are. Null when the results would exceed the budget: expanding only some would change what the pattern means.
 */
export function expandBraces(pattern: string, budget: ExpansionBudget): string[] | null {
  if (!pattern.includes('{')) return [pattern];
  return expandRange(pattern, 0, pattern.length, matchBraces(pattern), budget, 0);
}

function expandRange(
  text: string,
  from: number,
  to: number,
  pairs: ReadonlyMap<number, number>,
  budget: ExpansionBudget,
  depth: number,
): string[] | null {
  if (depth > DEEPEST) return null;
  let results: string[] = [''];
  let literal = from;
  for (let index = from; index < to; index += 1) {
    const close = pairs.get(index);
    if (close === undefined || close === index + 1) continue;
    const alternatives: string[] = [];
    for (const [start, end] of commaRanges(text, index + 1, close, pairs)) {
      const expanded = expandRange(text, start, end, pairs, budget, depth + 1);
      if (!expanded || alternatives.length + expanded.length > budget.patterns) return null;
      alternatives.push(...expanded.map((part) => part.trim()));
    }
    const product = combine(append(results, text.slice(literal, index)), alternatives, budget);
    if (!product) return null;
    results = product;
    index = close;
    literal = close + 1;
  }
  return append(results, text.slice(literal, to));
}

function append(results: readonly string[], literal: string): string[] {
  return results.map((result) => result + literal);
}

function combine(
  heads: readonly string[],
  tails: readonly string[],
  budget: ExpansionBudget,
): string[] | null {
  if (heads.length * tails.length > budget.patterns) return null;
  const characters = sumOfLengths(heads) * tails.length + sumOfLengths(tails) * heads.length;
  if (characters > budget.characters) return null;
  return heads.flatMap((head) => tails.map((tail) => head + tail));
}

function sumOfLengths(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/**
 * As Claude Code's baseline did it: the first closing brace ends the first opening one, however many stand between, so
 * `{a,{b,c}}` becomes `a}`, `b`, `c}`. Only for comparing.
 */
export function expandToFirstClosing(pattern: string, budget: ExpansionBudget): string[] | null {
  const done: string[] = [];
  const waiting = [pattern];
  let characters = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const open = next.indexOf('{');
    const close = open === -1 ? -1 : next.indexOf('}', open);
    if (close <= open + 1) {
      done.push(next);
      characters += next.length;
    } else {
      const [head, tail] = [next.slice(0, open), next.slice(close + 1)];
      const alternatives = next.slice(open + 1, close).split(',');
      if (waiting.length + alternatives.length > budget.patterns) return null;
      waiting.push(...alternatives.toReversed().map((alternative) => head + alternative.trim() + tail));
    }
    if (done.length > budget.patterns || characters > budget.characters) return null;
  }
  return done;
}
