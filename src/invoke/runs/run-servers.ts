import { resolveTools } from '../../policy/grants.ts';
import type { McpServers } from '../../view/settings/mcp-settings.ts';
import type { RunTools } from './run-contract.ts';

const SERVER_OF = /^mcp__([A-Za-z0-9-]+)(?:__|$)/;

/** Of an organisation's servers, those with tools that a skill declares and its caller grants. */
export function serversForRun(servers: McpServers, { declared, granted }: RunTools): McpServers {
  const wanted = Object.entries(servers).filter(
    ([name]) => meets(`mcp__${name}__*`, declared) && meets(`mcp__${name}__*`, granted),
  );
  return Object.fromEntries(wanted);
}

function meets(pattern: string, others: readonly string[]): boolean {
  return resolveTools([pattern], others).granted.length > 0;
}

/** What a run lacks, with the tools of servers that nobody registered. */
export function noteUnregistered(tools: RunTools, servers: McpServers): RunTools {
  const unregistered = tools.declared.filter((pattern) => {
    const server = SERVER_OF.exec(pattern)?.[1];
    return server !== undefined && !Object.hasOwn(servers, server);
  });
  return { ...tools, missing: [...new Set([...tools.missing, ...unregistered])] };
}
