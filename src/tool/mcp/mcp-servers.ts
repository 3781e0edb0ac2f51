import { BoundedCache } from '../../core/bounded-cache.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { MCP_LIMITS } from '../../core/limits.ts';
import { logFault } from '../../core/log.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { checkBaseUrl } from '../../model/provider-settings.ts';
import type { McpServer } from '../../view/settings/mcp-settings.ts';
import type { ToolPorts } from '../ports.ts';
import { type OpenedServer, withServer } from './mcp-connection.ts';
import { type ListedTool, listedTools } from './mcp-list.ts';
import { resultOutput } from './mcp-result.ts';
import { failed, type ToolOutput } from '../tool.ts';

type Listed = Result<readonly ListedTool[], string>;

/** What isolates remember of the lists of servers, for all runs of an organisation. */
const lists = new BoundedCache<string, { readonly listed: Listed; readonly until: number }>(
  MCP_LIMITS.listedCharacters,
);

/** One server of an organisation, as its tools use it. */
export class McpServerTools {
  readonly #name: string;
  readonly #organisation: string;
  readonly #server: McpServer;
  readonly #ports: ToolPorts;

  constructor(name: string, organisation: string, server: McpServer, ports: ToolPorts) {
    this.#name = name;
    this.#organisation = organisation;
    this.#server = server;
    this.#ports = ports;
  }

  /** Its tools, at most a few minutes old. Errors: why there are none. */
  async list(): Promise<Listed> {
    const key = canonicalJson([this.#organisation, this.#name, this.#server]);
    const known = lists.get(key);
    if (known !== undefined && known.until > Date.now()) return known.listed;
    const listed = await this.#ask();
    if (!listed.ok) this.#log(listed.error);
    const milliseconds = listed.ok ? MCP_LIMITS.listedMilliseconds : MCP_LIMITS.failureMilliseconds;
    lists.set(key, { listed, until: Date.now() + milliseconds }, key.length + JSON.stringify(listed).length);
    return listed;
  }

  async call(
    tool: string,
    input: Record<string, unknown>,
    context: { readonly milliseconds: number; readonly signal: AbortSignal },
  ): Promise<ToolOutput> {
    const server = await this.#open();
    if (!server.ok) return failed(`mcp_unavailable: ${server.error}`);
    const { fetch } = this.#ports;
    const milliseconds = Math.min(MCP_LIMITS.callMilliseconds, context.milliseconds);
    const answer = await withServer(server.value, { ...context, fetch, milliseconds }, (client, options) =>
      client.callTool({ name: tool, arguments: input }, options),
    );
    if (!answer.ok) return failed(`mcp_failed: the server ${this.#name}: ${answer.error}`);
    return resultOutput(answer.value, server.value.secrets);
  }

  async #ask(): Promise<Listed> {
    const server = await this.#open();
    if (!server.ok) return server;
    const context = {
      fetch: this.#ports.fetch,
      milliseconds: MCP_LIMITS.listMilliseconds,
      signal: new AbortController().signal,
    };
    const answer = await withServer(server.value, context, (client, options) =>
      client.listTools(undefined, options),
    );
    return answer.ok ? ok(listedTools(this.#name, answer.value.tools, server.value.secrets)) : answer;
  }

  /** Its URL, looked at again, and its headers with the secrets in them. */
  async #open(): Promise<Result<OpenedServer, string>> {
    const url = checkBaseUrl(this.#server.url, this.#ports.allowsLocal);
    if (!url.ok) return fail(`the URL of the server ${this.#name} is refused: ${url.error}`);
    const headers: Record<string, string> = {};
    const secrets: string[] = [];
    for (const [header, value] of Object.entries(this.#server.headers)) {
      if (typeof value === 'string') {
        headers[header] = value;
        continue;
      }
      const secret = await this.#ports.secret(this.#organisation, value.secret, url.value.origin);
      if (!secret.ok) return fail(secret.error);
      headers[header] = value.prefix + secret.value;
      secrets.push(secret.value);
    }
    return ok({ url: url.value, headers, secrets });
  }

  #log(reason: string): void {
    logFault('mcp_server_unavailable', { organisation: this.#organisation, server: this.#name, reason });
  }
}
