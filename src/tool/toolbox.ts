import { resolveTools } from '../policy/grants.ts';
import { bashTool } from './bash.ts';
import { editTool } from './files/edit.ts';
import { globTool } from './files/glob.ts';
import { grepTool } from './files/grep.ts';
import { readTool } from './files/read.ts';
import { writeTool } from './files/write.ts';
import type { ToolPorts } from './ports.ts';
import { webFetchTool } from './web/web-fetch.ts';
import type { ToolCall, ToolSpec } from '../model/message.ts';
import type { Tool } from './tool.ts';

/** Tools that reach nothing but the sandbox. */
const SANDBOX_TOOLS: ReadonlyMap<string, Tool> = new Map(
  [bashTool, readTool, writeTool, editTool, globTool, grepTool].map((tool) => [tool.name, tool]),
);

/** The tools of one run. */
export interface Toolbox {
  /** What an engine is told of: each tool that some call can be declared and granted for. */
  specs(): Promise<ToolSpec[]>;
  /** Undefined for a tool that is not there. */
  find(name: string): Promise<Tool | undefined>;
}

/** What a run says of its tools. */
export interface Equipped {
  readonly tools: { readonly declared: readonly string[]; readonly granted: readonly string[] };
}

export function toolbox({ tools }: Equipped, ports: ToolPorts): Toolbox {
  const own = new Map([...SANDBOX_TOOLS.values(), webFetchTool(ports)].map((tool) => [tool.name, tool]));
  const usable = [...own.values()].filter(
    ({ name }) => meets(name, tools.declared) && meets(name, tools.granted),
  );
  return {
    specs: () => Promise.all(usable.map((tool) => tool.spec())),
    find: async (name) => own.get(name),
  };
}

/** What a call is shown as: what rules were matched against, or its input where there is no such thing. */
export function subjectOf(call: ToolCall): string {
  const read = SANDBOX_TOOLS.get(call.tool)?.read(call.input);
  return read?.ok === true ? read.value.subject : JSON.stringify(call.input);
}

function meets(tool: string, patterns: readonly string[]): boolean {
  return resolveTools([tool], patterns).granted.length > 0;
}
