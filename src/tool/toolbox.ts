import { resolveTools } from '../policy/grants.ts';
import { toolInputText } from '../policy/tool-input.ts';
import type { ToolCall, ToolSpec } from '../model/message.ts';
import type { McpServers } from '../view/settings/mcp-settings.ts';
import { bashTool } from './bash.ts';
import { editTool } from './files/edit.ts';
import { globTool } from './files/glob.ts';
import { grepTool } from './files/grep.ts';
import { readTool } from './files/read.ts';
import { writeTool } from './files/write.ts';
import { McpServerTools } from './mcp/mcp-servers.ts';
import { mcpTool, unavailableTool } from './mcp/mcp-tool.ts';
import type { ToolPorts } from './ports.ts';
import type { Tool } from './tool.ts';
import { webFetchTool } from './web/web-fetch.ts';

/** Tools that reach nothing but the sandbox. */
const OWN_TOOLS: ReadonlyMap<string, Tool> = new Map(
  [bashTool, readTool, writeTool, editTool, globTool, grepTool].map((tool) => [tool.name, tool]),
);
const REMOTE = /^mcp__([A-Za-z0-9-]+)__/;

/** The tools of one run. */
export interface Toolbox {
  /** What an engine is told of: each tool that some call can be declared and granted for. */
  specs(): Promise<ToolSpec[]>;
  /** Undefined for a tool that is not there. */
  find(name: string): Promise<Tool | undefined>;
}

/** What a run says of its tools. */
export interface Equipped {
  readonly organisation: string;
  readonly tools: { readonly declared: readonly string[]; readonly granted: readonly string[] };
  readonly mcpServers: McpServers;
}

export function toolbox({ organisation, tools, mcpServers }: Equipped, ports: ToolPorts): Toolbox {
  const own = new Map([...OWN_TOOLS.values(), webFetchTool(ports)].map((tool) => [tool.name, tool]));
  const servers = new Map(
    Object.entries(mcpServers).map(([name, server]) => [
      name,
      new McpServerTools(name, organisation, server, ports),
    ]),
  );
  const usable = ({ name }: Tool): boolean => meets(name, tools.declared) && meets(name, tools.granted);
  let usableOwn: readonly Tool[] | null = null;
  return {
    async specs() {
      usableOwn ??= [...own.values()].filter(usable);
      const remote = await Promise.all([...servers.values()].map(toolsOf));
      const all = [...usableOwn, ...remote.flat().filter(usable)];
      return Promise.all(all.map((tool) => tool.spec()));
    },
    async find(name) {
      const server = servers.get(REMOTE.exec(name)?.[1] ?? '');
      return server === undefined ? own.get(name) : findRemote(server, name);
    },
  };
}

/** What a call is shown as: what rules are matched against, or all of its input where there is no such thing. */
export function subjectOf(call: ToolCall): string {
  const read = OWN_TOOLS.get(call.tool)?.read(call.input);
  return read?.ok === true ? read.value.subject : toolInputText(call.tool, call.input);
}

/** None of a server that cannot be reached now: a run goes on without it. */
async function toolsOf(server: McpServerTools): Promise<Tool[]> {
  const listed = await server.list();
  return listed.ok ? listed.value.map((tool) => mcpTool(tool, server)) : [];
}

async function findRemote(server: McpServerTools, name: string): Promise<Tool | undefined> {
  const listed = await server.list();
  if (!listed.ok) return unavailableTool(name, listed.error);
  const tool = listed.value.find((each) => each.name === name);
  return tool && mcpTool(tool, server);
}

function meets(tool: string, patterns: readonly string[]): boolean {
  return resolveTools([tool], patterns).granted.length > 0;
}
