import { z } from 'zod';
import { MCP_LIMITS } from '../../core/limits.ts';
import { mayBeSet } from '../../core/public-fetch.ts';
import type { Problem } from '../../core/problem.ts';
import { checkBaseUrl } from '../../model/provider-settings.ts';
import { SecretName } from '../../secret/secret.ts';

/** No underscore, so that `mcp__server__tool` can be taken apart again. */
const ServerName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/, 'letters, digits and -, 40 at most');
const HeaderText = z
  .string()
  .max(MCP_LIMITS.headerCharacters)
  .regex(/^[\x20-\x7e]*$/, 'one line of ASCII');
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'letters, digits and -')
  .refine((name) => mayBeSet(name) && !/^(?:mcp-|accept$)/i.test(name), 'a header of the transport');

/** A server of tools over MCP's Streamable HTTP. */
export const McpServer = z.strictObject({
  url: z.string().max(MCP_LIMITS.urlCharacters),
  /** Sent with every request: as written, or a secret of the organisation, such as a token behind `Bearer `. */
  headers: z
    .record(
      HeaderName,
      z.union([HeaderText, z.strictObject({ secret: SecretName, prefix: HeaderText.default('') })]),
    )
    .refine((headers) => Object.keys(headers).length <= MCP_LIMITS.headers, 'too many headers')
    .default({}),
});
export type McpServer = z.infer<typeof McpServer>;

/** Servers by the organisation's names for them: their tools are `mcp__NAME__TOOL`. */
export const McpServers = z
  .record(ServerName, McpServer)
  .refine((servers) => Object.keys(servers).length <= MCP_LIMITS.servers, 'too many servers');
export type McpServers = z.infer<typeof McpServers>;

/** What speaks against servers, as far as one can tell without asking them. */
export function mcpServersProblem(servers: McpServers, allowsLocal: boolean): Problem | null {
  for (const [name, { url }] of Object.entries(servers)) {
    const checked = checkBaseUrl(url, allowsLocal);
    if (checked.ok) continue;
    const at = `mcpServers.${name}.url`;
    const hint = 'Write the https URL of a public server.';
    return { code: 'bad_request', detail: `${at}: ${checked.error}`, at, hint };
  }
  return null;
}
