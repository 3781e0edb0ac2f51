import type { Result } from '../core/result.ts';
import type { RunUsage, RunView } from '../invoke/runs/run-contract.ts';
import type { ModelUsage } from '../model/usage.ts';
import type { ToolOutput } from '../tool/tool.ts';
import { keptOutput, type OutputPlace, type ReadAnswer } from './action-answer.ts';

/** What a run inside of another one gave it; null while it goes on, or cannot be asked. */
export async function childAnswer(read: Result<RunView>, place: OutputPlace): Promise<ReadAnswer | null> {
  const given = givenBy(read);
  if (given === null) return null;
  const { result, apply } = await keptOutput(given.output, place);
  return { answer: { for: 'child', result, usage: given.usage }, apply };
}

function givenBy(read: Result<RunView>): { output: ToolOutput; usage: ModelUsage[] } | null {
  if (!read.ok) {
    if (read.error.code !== 'run_unknown') return null;
    return { output: failed('', 'the run of the skill is gone'), usage: [] };
  }
  const { endedAt, status, stopReason, result, usage } = read.value;
  if (endedAt === null) return null;
  const text = result ?? '';
  const output =
    status === 'succeeded'
      ? { stdout: text, stderr: '', exitCode: 0 }
      : failed(
          text,
          `the run of the skill ended with ${stopReason ?? status}; what there is of a result is above`,
        );
  return { output, usage: usageOf(usage) };
}

function failed(stdout: string, reason: string): ToolOutput {
  return { stdout, stderr: `${reason}\n`, exitCode: 1 };
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
