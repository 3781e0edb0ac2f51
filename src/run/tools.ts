import { bashTool } from './bash-tool.ts';
import type { ToolCall, ToolSpec } from '../model/message.ts';
import type { ToolGate } from './tool-gate.ts';
import { type Tool, type ToolContext, type ToolRun, withoutChanges } from './tool.ts';

const TOOLS: ReadonlyMap<string, Tool> = new Map([[bashTool.name, bashTool]]);

export async function toolSpecs(): Promise<ToolSpec[]> {
  return Promise.all([...TOOLS.values()].map((tool) => tool.spec()));
}

/**
 * Makes a call if the gate lets it through. What is refused, unknown or malformed answers with the exit code that a
 * shell has for it, so that an engine reads one kind of answer.
 */
export async function callTool(call: ToolCall, gate: ToolGate, context: ToolContext): Promise<ToolRun> {
  if (call.invalid !== undefined) return unmade(call.invalid, 2);
  const tool = TOOLS.get(call.tool);
  if (tool === undefined) return unmade(`there is no tool ${call.tool}`, 127);
  const subject = tool.subject(call.input);
  if (subject === null) return unmade(`${call.tool} cannot read this input`, 2);
  const { decision, reason } = gate(call.tool, subject);
  return decision === 'allow' ? tool.run(subject, context) : unmade(reason, 126, true);
}

/** What a call is shown as: what rules were matched against, or its input where there is no such thing. */
export function subjectOf(call: ToolCall): string {
  return TOOLS.get(call.tool)?.subject(call.input) ?? JSON.stringify(call.input);
}

function unmade(reason: string, exitCode: number, refused = false): ToolRun {
  return withoutChanges({ stdout: '', stderr: `${reason}\n`, exitCode, refused });
}
