import type * as Mcp from '@modelcontextprotocol/client';
import { MCP_LIMITS } from '../../core/limits.ts';
import type { Fetch } from '../../core/public-fetch.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { cleanText, withoutSecrets } from '../clean-text.ts';

/** A server as one connection needs it, with its secrets. */
export interface OpenedServer {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Values that must not come back: they are taken out of everything that the server says. */
  readonly secrets: readonly string[];
}

export interface ConnectionContext {
  readonly fetch: Fetch;
  /** For everything together. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

type Use<Value> = (client: Mcp.Client, options: { signal: AbortSignal; timeout: number }) => Promise<Value>;

/**
 * Connects to a server, in whichever version of the protocol it speaks, and hangs up again: a run may sleep for days between
 * two calls. Nothing that a server could ask of its client is offered. Errors: text for a model, without secrets.
 */
export async function withServer<Value>(
  server: OpenedServer,
  { fetch, milliseconds, signal: cancelled }: ConnectionContext,
  use: Use<Value>,
): Promise<Result<Value, string>> {
  const mcp = await import('@modelcontextprotocol/client');
  const timeout = Math.max(1, milliseconds);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  const signal = AbortSignal.any([cancelled, late.signal]);
  const client = new mcp.Client(
    { name: 'skilledge', version: '1' },
    { versionNegotiation: { mode: 'auto' }, listMaxPages: MCP_LIMITS.listPages },
  );
  const transport = new mcp.StreamableHTTPClientTransport(server.url, {
    fetch: guarded(fetch, server, signal),
    requestInit: { headers: { ...server.headers }, redirect: 'manual' },
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  try {
    await client.connect(transport, { signal, timeout });
    return ok(await use(client, { signal, timeout }));
  } catch (error) {
    if (late.signal.aborted) return fail(`no answer within ${timeout} ms`);
    if (cancelled.aborted) return fail('the run was cancelled');
    return fail(reasonOf(mcp, error, server.secrets));
  } finally {
    await transport.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
    clearTimeout(timer);
  }
}

/** Only the server's own URL is asked, no stream is kept open beside the answers, and what it answers is bounded. */
function guarded(fetch: Fetch, server: OpenedServer, signal: AbortSignal) {
  let bytes = 0;
  const bounded = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > MCP_LIMITS.answerBytes) controller.error(new AnswerTooLarge());
        else controller.enqueue(chunk);
      },
    });
  return async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    if (String(target) !== server.url.href) throw new TypeError('not the server’s URL');
    if ((init.method ?? 'GET') === 'GET') return new Response(null, { status: 405 });
    const own = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
    const response = await fetch(server.url.href, { ...init, redirect: 'manual', signal: own });
    const { status, headers } = response;
    return new Response(response.body?.pipeThrough(bounded()) ?? null, { status, headers });
  };
}

class AnswerTooLarge extends Error {
  override readonly message = `the answer has more than ${MCP_LIMITS.answerBytes} bytes`;
}

/** Nothing of what the network around the deployment said; of what the server said, a little. */
function reasonOf(mcp: typeof Mcp, error: unknown, secrets: readonly string[]): string {
  if (error instanceof AnswerTooLarge) return error.message;
  if (error instanceof mcp.UnauthorizedError) return 'it asks for other credentials';
  if (error instanceof mcp.SdkHttpError) return `it answered with status ${error.status ?? 'unknown'}`;
  if (error instanceof mcp.ProtocolError)
    return `it says: ${withoutSecrets(cleanText(error.message), secrets).slice(0, MCP_LIMITS.errorCharacters)}`;
  if (error instanceof mcp.SdkError) return `it does not speak the protocol (${error.code})`;
  return 'it could not be reached';
}
