import { z } from 'zod';
import { RUN_LIMITS } from '../../core/limits.ts';

/** What one run may use, of what the deployment allows to any. */
export const RunLimits = z.strictObject({
  turns: z.int().min(1).max(RUN_LIMITS.turns),
  toolCalls: z.int().min(0).max(RUN_LIMITS.toolCalls),
  /** Of all models together, whatever their kind; those of nested runs count. */
  tokens: z.int().min(1).max(RUN_LIMITS.tokens),
  /** US dollars; null: no limit. */
  cost: z.number().nonnegative().nullable(),
  /** Time that it works; waits for people and hosts have deadlines of their own. */
  milliseconds: z.int().min(1).max(RUN_LIMITS.wallMilliseconds),
  /** Runs inside of runs, below this one. */
  depth: z.int().min(0).max(RUN_LIMITS.depth),
});
export type RunLimits = z.infer<typeof RunLimits>;

/** Some of them, as somebody wants them for a run. */
export const WantedRunLimits = RunLimits.partial();
export type WantedRunLimits = z.infer<typeof WantedRunLimits>;

const DEPLOYMENT: RunLimits = {
  turns: RUN_LIMITS.turns,
  toolCalls: RUN_LIMITS.toolCalls,
  tokens: RUN_LIMITS.tokens,
  cost: null,
  milliseconds: RUN_LIMITS.wallMilliseconds,
  depth: RUN_LIMITS.depth,
};

/** The lowest of each: nobody can allow more than another did. */
export function lowestLimits(...wanted: readonly WantedRunLimits[]): RunLimits {
  return wanted.reduce(
    (lowest: RunLimits, { turns, toolCalls, tokens, cost, milliseconds, depth }) => ({
      turns: Math.min(lowest.turns, turns ?? Infinity),
      toolCalls: Math.min(lowest.toolCalls, toolCalls ?? Infinity),
      tokens: Math.min(lowest.tokens, tokens ?? Infinity),
      cost: lowest.cost === null ? (cost ?? null) : Math.min(lowest.cost, cost ?? Infinity),
      milliseconds: Math.min(lowest.milliseconds, milliseconds ?? Infinity),
      depth: Math.min(lowest.depth, depth ?? Infinity),
    }),
    DEPLOYMENT,
  );
}
