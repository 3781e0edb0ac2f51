import type { RunUsage, StopReason, TokenUsage } from '../invoke/runs/run-contract.ts';
import type { ModelUsage } from '../model/usage.ts';
import type { RunLimits } from '../view/settings/run-limits.ts';

const NONE: TokenUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** What a run used so far, added up. */
export class UsageCount {
  turns = 0;
  toolCalls = 0;
  /** Since the cost is a limit too, one unknown price makes it unknown for good. */
  #cost: number | null = 0;
  #sum = 0;
  readonly #tokens = new Map<string, TokenUsage>();

  add(usage: ModelUsage | undefined): void {
    if (usage === undefined) return;
    const { model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, cost } = usage;
    const before = this.#tokens.get(model) ?? NONE;
    this.#tokens.set(model, {
      input: before.input + inputTokens,
      cacheRead: before.cacheRead + cacheReadTokens,
      cacheWrite: before.cacheWrite + cacheWriteTokens,
      output: before.output + outputTokens,
    });
    this.#sum += inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
    this.#cost = this.#cost === null || cost === null ? null : this.#cost + cost;
  }

  /** The limit that forbids another call of a model, or of a tool. */
  exceeded(limits: RunLimits, what: 'model' | 'tool'): StopReason | null {
    if (what === 'tool') return this.toolCalls >= limits.toolCalls ? 'tool_call_limit' : null;
    if (this.turns >= limits.turns) return 'turn_limit';
    if (this.#sum >= limits.tokens) return 'token_limit';
    return limits.cost !== null && this.#cost !== null && this.#cost >= limits.cost ? 'cost_limit' : null;
  }

  /** What a run inside of this one may use. */
  left(limits: RunLimits): Pick<RunLimits, 'tokens' | 'cost'> {
    return {
      tokens: Math.max(1, limits.tokens - this.#sum),
      cost: limits.cost === null ? null : Math.max(0, limits.cost - (this.#cost ?? 0)),
    };
  }

  view(): RunUsage {
    return {
      turns: this.turns,
      toolCalls: this.toolCalls,
      tokens: Object.fromEntries(this.#tokens),
      cost: this.#cost,
    };
  }
}
