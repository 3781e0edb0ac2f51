import type { Tool as RemoteTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { nestsDeeper } from '../../core/json-depth.ts';
import { JSON_LIMITS, MCP_LIMITS, MODEL_LIMITS } from '../../core/limits.ts';
import { parseJson } from '../../view/json-document.ts';
import { visibleText } from '../../listing/visible-text.ts';
import { cleanText, withoutSecrets } from '../clean-text.ts';

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

/**
 * What of a server's list can be shown: it was written by others and goes into every request to a model. Tools that no model
 * could name, or whose schema is too long, are left out; the first of two namesakes counts.
 */
export function listedTools(
  server: string,
  tools: readonly RemoteTool[],
  secrets: readonly string[],
): ListedTool[] {
  const listed = new Map<string, ListedTool>();
  for (const tool of tools) {
    const name = `mcp__${server}__${tool.name}`;
    const inputSchema = cleanSchema(tool.inputSchema, secrets);
    const nameable = REMOTE_NAME.test(tool.name) && name.length <= MODEL_LIMITS.toolNameCharacters;
    const usable = nameable && withoutSecrets(name, secrets) === name;
    if (!usable || inputSchema === null || listed.has(name) || listed.size === MCP_LIMITS.tools) continue;
    const { description = '', annotations } = tool;
    const shown = withoutSecrets(visibleText(description), secrets).slice(
      0,
      MCP_LIMITS.descriptionCharacters,
    );
    listed.set(name, {
      remoteName: tool.name,
      name,
      description: `${shown} (of the server ${server})`,
      inputSchema,
      // A server that lies about this harms what is its own.
      idempotent: annotations?.readOnlyHint === true || annotations?.idempotentHint === true,
    });
  }
  return [...listed.values()];
}

/** Nothing hidden in its texts; null where it is too long or too deep. */
function cleanSchema(schema: object, secrets: readonly string[]): Record<string, unknown> | null {
  if (nestsDeeper(schema, JSON_LIMITS.depth)) return null;
  const text = JSON.stringify(schema, (_, value: unknown) =>
    typeof value === 'string'
      ? withoutSecrets(cleanText(value), secrets).slice(0, MCP_LIMITS.descriptionCharacters)
      : value,
  );
  if (text.length > MCP_LIMITS.schemaCharacters) return null;
  return parseJson(InputSchema, withoutSecrets(text, secrets));
}
