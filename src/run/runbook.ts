import { missingCommands } from './command-words.ts';
import type { Message, ToolResult } from '../model/message.ts';
import type { Model, ModelReply, ModelRequest } from '../model/model.ts';

/**
 * The engine without a model: the skill's fenced shell blocks are its steps, run in order, and the last one's output is
 * the answer. Where it stands it reads from the messages, so that it can go on after any of them.
 */
export function runbook(steps: readonly string[]): Model {
  return { name: 'runbook', next: (request) => nextStep(steps, request) };
}

async function nextStep(steps: readonly string[], request: ModelRequest): Promise<ModelReply> {
  if (steps.length === 0) {
    return final(
      'no_steps',
      'This skill has no fenced bash block, and the runbook engine runs nothing else.',
    );
  }
  const results = resultsOf(request.messages);
  if (results.length === 0) {
    const missing = await missingIn(steps, request);
    if (missing.length > 0) return final('commands_missing', missingText(missing));
  }
  const last = results.at(-1);
  if (last !== undefined && last.exitCode !== 0) {
    return final('step_failed', failureText(results.length, steps.length, last));
  }
  const command = steps[results.length];
  if (command === undefined) return final('completed', last?.stdout ?? '');
  const step = results.length + 1;
  return {
    kind: 'calls',
    text: `Step ${step} of ${steps.length}.`,
    calls: [{ id: `step-${step}`, tool: 'Bash', input: { command } }],
  };
}

function resultsOf(messages: readonly Message[]): ToolResult[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [message.result] : []));
}

async function missingIn(steps: readonly string[], request: ModelRequest): Promise<string[]> {
  const available = request.tools.find((tool) => tool.name === 'Bash')?.commands ?? [];
  const missing = await Promise.all(steps.map((step) => missingCommands(step, available)));
  return [...new Set(missing.flat())];
}

function missingText(missing: readonly string[]): string {
  return `No step was run: the sandbox does not have ${missing.join(', ')}.`;
}

function failureText(step: number, steps: number, { exitCode, stdout, stderr, refused }: ToolResult): string {
  const what = refused ? 'was refused' : `failed with exit code ${exitCode}`;
  return [`Step ${step} of ${steps} ${what}.`, stdout.trimEnd(), stderr.trimEnd()]
    .filter((part) => part !== '')
    .join('\n\n');
}

function final(stopReason: Extract<ModelReply, { kind: 'final' }>['stopReason'], text: string): ModelReply {
  return { kind: 'final', text, stopReason };
}
