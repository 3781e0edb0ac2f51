import { fail } from '../../src/core/result.ts';
import type { RunStart, RunView } from '../../src/invoke/runs/run-contract.ts';
import { SANDBOX_TOOLS } from '../../src/invoke/runs/sandbox-tools.ts';
import type { ToolCall } from '../../src/model/message.ts';
import type { Model } from '../../src/model/model.ts';
import type { RunDependencies } from '../../src/run/dependencies.ts';
import type { ToolPorts } from '../../src/tool/ports.ts';
import { calls, says, scripted } from '../run/scripted.ts';
import { ran, startOf, useDependencies } from '../run/support.ts';

/** Of a world in which there is nothing. */
export const NO_PORTS: ToolPorts = {
  fetch: () => Promise.reject(new Error('no network')),
  secret: async () => fail('no secrets'),
  allowsLocal: false,
};

export type Call = readonly [tool: string, input: ToolCall['input']];

/** An engine that makes these calls, one a turn, and then says that it is done. */
export function oneByOne(made: readonly Call[]): Model {
  return scripted(...made.map((call) => calls(call)), says('done'));
}

export interface Called {
  readonly run: RunView;
  /** Of each call: what it answered, behind its exit code where that is not 0. */
  readonly answers: readonly string[];
}

/**
 * A run of these calls, in which every sandboxed tool is declared and granted unless `wanted` says otherwise, and nobody
 * answers questions.
 */
export async function called(
  made: readonly Call[],
  wanted: Parameters<typeof startOf>[0] = {},
  dependencies: Partial<RunDependencies> = {},
): Promise<Called> {
  useDependencies({ model: () => oneByOne(made), ...dependencies });
  const run = await ran(startOf({ tools: allTools(), waitMilliseconds: 1, ...wanted }));
  return { run, answers: answersOf(run) };
}

export function answersOf(run: RunView): string[] {
  return run.steps
    .filter(({ kind }) => kind === 'tool')
    .map(({ output = '', exitCode = 0 }) => (exitCode === 0 ? output : `${exitCode}: ${output}`));
}

export function allTools(...more: string[]): RunStart['tools'] {
  const tools = [...SANDBOX_TOOLS, ...more];
  return { declared: tools, granted: tools, missing: [] };
}
