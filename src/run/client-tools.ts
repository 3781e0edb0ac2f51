import type { ToolCall } from '../model/message.ts';
import { compileRules, decide } from '../policy/decide.ts';
import { toolInputText } from '../policy/tool-input.ts';
import type { StoredStart } from './stored-start.ts';

export function isClientTool({ clientTools }: StoredStart, { tool }: ToolCall): boolean {
  return clientTools.some(({ name }) => name === tool);
}

/** May the host be asked to make this call? It offered the tool itself, so that only the organisation's rules are against it. */
export function decideClientCall(
  { rules }: StoredStart,
  { tool, input, invalid }: ToolCall,
): { decision: 'allow' | 'ask' | 'deny'; reason: string } {
  if (invalid !== undefined) return { decision: 'deny', reason: invalid };
  const offered = { effect: 'allow', pattern: tool, layer: 'call', reason: 'the host offers it' } as const;
  const { decision, reason } = decide(
    { kind: 'tool', tool, input: toolInputText(tool, input) },
    compileRules([...rules, offered]),
    null,
  );
  return { decision, reason: reason.text };
}
