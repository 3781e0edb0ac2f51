import { z } from 'zod';
import { canonicalJson } from '../../core/canonical-json.ts';
import { fail, ok } from '../../core/result.ts';
import type { Tool } from '../tool.ts';
import type { ListedTool } from './mcp-list.ts';
import type { McpServerTools } from './mcp-servers.ts';

const Arguments = z.record(z.string(), z.json());

/** One tool of a server. Rules are about its name; what it is sent is shown to who decides. */
export function mcpTool(tool: ListedTool, server: McpServerTools): Tool {
  const { name, description, inputSchema, idempotent, remoteName } = tool;
  return {
    name,
    idempotent,
    spec: async () => ({ name, description, inputSchema }),
    read(input) {
      const parsed = Arguments.safeParse(input);
      if (!parsed.success) return fail('it takes an object');
      return ok({
        subject: canonicalJson(parsed.data),
        run: ({ remainingMilliseconds: milliseconds, signal }) =>
          server.call(remoteName, parsed.data, { milliseconds, signal }),
      });
    },
  };
}

/** Stands for every tool of a server that cannot say what it has: not even whether a call may be made again. */
export function unavailableTool(name: string, reason: string): Tool {
  return {
    name,
    idempotent: false,
    spec: async () => ({ name, description: '', inputSchema: {} }),
    read: () => fail(`mcp_unavailable: ${reason}`),
  };
}
