import { resolveTools } from '../policy/grants.ts';
import type { McpServers } from '../view/mcp-settings.ts';

const SERVER_OF = /^mcp__([A-Za-z0-9-]+)(?:__|$)/;

/** Of an organisation's servers, those with tools that a skill declares and its caller grants. */
export function serversForRun(
  servers: McpServers,
  declared: readonly string[],
  grants: readonly string[],
): McpServers {
  const wanted = Object.entries(servers).filter(([name]) => {
    const { granted } = resolveTools([`mcp__${name}__*`], declared);
    return granted.length > 0 && resolveTools(granted, grants).granted.length > 0;
  });
  return Object.fromEntries(wanted);
}

/** Whether a declared pattern is about a server that nobody registered. */
export function isUnregistered(declared: string, servers: McpServers): boolean {
  const server = SERVER_OF.exec(declared)?.[1];
  return server !== undefined && !Object.hasOwn(servers, server);
}
