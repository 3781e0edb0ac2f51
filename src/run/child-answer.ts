import type { Result } from '../core/result.ts';
import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { RunUsage, RunView } from '../invoke/run-contract.ts';
import type { ToolResult } from '../model/message.ts';
import type { ModelUsage } from '../model/usage.ts';
import type { WaitAnswer } from './outcome.ts';

/** What a run inside of another one gave it; null while it goes on, or cannot be asked. */
export function childAnswer(read: Result<RunView>): WaitAnswer | null {
  if (!read.ok) {
    if (read.error.code !== 'run_unknown') return null;
    return { for: 'child', result: failed('', 'the run of the skill is gone'), usage: [] };
  }
  const { endedAt, status, stopReason, result, usage } = read.value;
  if (endedAt === null) return null;
  const text = cutText(result ?? '', RUN_LIMITS.toolOutputCharacters);
  const given =
    status === 'succeeded'
      ? { stdout: text, stderr: '', exitCode: 0, refused: false }
      : failed(
          text,
          `the run of the skill ended with ${stopReason ?? status}; what there is of a result is above`,
        );
  return { for: 'child', result: given, usage: usageOf(usage) };
}

function failed(stdout: string, reason: string): ToolResult {
  return { stdout, stderr: `${reason}\n`, exitCode: 1, refused: false };
}

/** The cost is known of all models together: it stands with the first. */
function usageOf({ tokens, cost }: RunUsage): ModelUsage[] {
  return Object.entries(tokens).map(([model, { input, cacheRead, cacheWrite, output }], index) => ({
    model,
    inputTokens: input,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    outputTokens: output,
    cost: index === 0 || cost === null ? cost : 0,
  }));
}
