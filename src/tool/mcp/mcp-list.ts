import type { Tool as RemoteTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { MCP_LIMITS } from '../../core/limits.ts';
import { parseJson } from '../../view/json-document.ts';
import { visibleText } from '../../listing/visible-text.ts';
import { cleanText } from './clean-text.ts';

/** A tool of a server as it is remembered and shown. */
export interface ListedTool {
  /** As the server calls it. */
  readonly remoteName: string;
  /** `mcp__SERVER__TOOL`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly idempotent: boolean;
}

const InputSchema = z.record(z.string(), z.json());
const REMOTE_NAME = /^[A-Za-z0-9_-]+$/;

/** The name under which a model calls a tool. */
export function nameOf(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

/**
 * What of a server's list can be shown: it was written by others and goes into every request to a model. Tools that no model
 * could name, or whose schema is too long, are left out; the first of two namesakes counts.
 */
export function listedTools(server: string, tools: readonly RemoteTool[]): ListedTool[] {
  const listed = new Map<string, ListedTool>();
  for (const tool of tools) {
    const name = nameOf(server, tool.name);
    const inputSchema = cleanSchema(tool.inputSchema);
    const usable = REMOTE_NAME.test(tool.name) && name.length <= MCP_LIMITS.toolNameCharacters;
    if (!usable || inputSchema === null || listed.has(name) || listed.size === MCP_LIMITS.tools) continue;
    const { description = '', annotations } = tool;
    listed.set(name, {
      remoteName: tool.name,
      name,
      description: `${visibleText(description.slice(0, MCP_LIMITS.descriptionCharacters))} (of the server ${server})`,
      inputSchema,
      // A server that lies about this harms what is its own.
      idempotent: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
    });
  }
  return [...listed.values()];
}

/** Nothing hidden in its texts; null where it is too long. */
function cleanSchema(schema: object): Record<string, unknown> | null {
  let text: string;
  try {
    text = JSON.stringify(schema, (_, value: unknown) =>
      typeof value === 'string' ? cleanText(value, MCP_LIMITS.descriptionCharacters) : value,
    );
  } catch {
    // Nested deeper than the engine can follow.
    return null;
  }
  return text.length > MCP_LIMITS.schemaCharacters ? null : parseJson(InputSchema, text);
}
