import type { CompiledRule } from './compiled-rules.ts';
import type { Effect, RuleLayer } from './rule.ts';

/** One phase of a decision: what was looked at, what came of it, and whose rule it was. */
export interface TraceStep {
  readonly phase: 'restriction' | Effect | 'clarity' | 'safe_properties' | 'default';
  readonly looked: string;
  readonly outcome: string;
  readonly layer: RuleLayer | null;
}

/** People read traces, and commands can be long. */
const QUOTED_CHARACTERS = 80;
const TRACED_PARTS = 8;

export class Trace {
  readonly #steps: TraceStep[] = [];
  #parts = 0;

  get steps(): readonly TraceStep[] {
    return this.#steps;
  }

  add(phase: TraceStep['phase'], looked: string, outcome: string, layer: RuleLayer | null = null): void {
    this.#steps.push({ phase, looked, outcome, layer });
  }

  /** The outcome of looking at all rules of one effect; `parts` counts what the hit and its like cover together. */
  rules(effect: Effect, looked: number, hit: CompiledRule | undefined, parts = 1): void {
    const outcome =
      hit === undefined
        ? 'no match'
        : `${effect}: ${quote(hit.rule.pattern)}${parts > 1 ? ` and others, ${parts} parts` : ''}`;
    this.add(effect, `${looked} ${looked === 1 ? 'rule' : 'rules'}`, outcome, hit?.rule.layer);
  }

  /** One simple command of a compound one. */
  part(text: string, hit: CompiledRule | undefined): void {
    this.#parts += 1;
    if (this.#parts > TRACED_PARTS) return;
    this.add('allow', quote(text), hit === undefined ? 'no match' : quote(hit.rule.pattern), hit?.rule.layer);
  }
}

/** Shortened to one readable line, never ending inside a character. */
export function quote(text: string): string {
  const short = text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
  return short.toWellFormed();
}
