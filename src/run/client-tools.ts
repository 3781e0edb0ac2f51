import { inputProblem } from '../invoke/runs/result-schema.ts';
import type { ToolCall } from '../model/message.ts';
import { compileRules, decide } from '../policy/decide.ts';
import { toolInputText } from '../policy/tool-input.ts';
import type { StoredStart } from './stored-start.ts';

export function isClientTool({ clientTools }: StoredStart, { tool }: ToolCall): boolean {
  return clientTools.some(({ name }) => name === tool);
}

/** What a model has to hear before the host is asked; a schema that cannot be applied here is the host's to apply. */
export function clientInputProblem(
  { clientTools }: StoredStart,
  { tool, input, invalid }: ToolCall,
): string | null {
  if (invalid !== undefined) return invalid;
  const offered = clientTools.find(({ name }) => name === tool);
  return offered ? inputProblem(offered.inputSchema, input) : null;
}

/** May the host be asked to make this call? It offered the tool itself, so that only the organisation's rules are against it. */
export function decideClientCall(
  { rules }: StoredStart,
  { tool, input }: ToolCall,
): { decision: 'allow' | 'ask' | 'deny'; reason: string } {
  const offered = { effect: 'allow', pattern: tool, layer: 'call', reason: 'the host offers it' } as const;
  const { decision, reason } = decide(
    { kind: 'tool', tool, input: toolInputText(tool, input) },
    compileRules([...rules, offered]),
    null,
  );
  return { decision, reason: reason.text };
}
