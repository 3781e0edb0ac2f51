import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import {
  anthropicError,
  anthropicEvents,
  anthropicJson,
  readAnthropic,
  type Understood,
} from './anthropic.ts';
import { openaiError, openaiEvents, openaiJson, readOpenai } from './openai.ts';
import { type Answer, play } from './play.ts';

interface Wire {
  read(input: unknown): Understood | string;
  json(answer: Answer, understood: Understood): object;
  events(answer: Answer, understood: Understood): Iterable<string>;
  error(status: number, message: string): object;
  key(request: IncomingMessage): string;
}

/** What the provider package says, and what the maker's own client does. Neither changes what is used here. */
const VERSIONS: ReadonlySet<string> = new Set(['2023-06-01', '2026-10-21']);

const WIRES: Readonly<Record<string, Wire>> = {
  '/anthropic/v1/messages': {
    read: readAnthropic,
    json: anthropicJson,
    events: anthropicEvents,
    error: anthropicError,
    key: ({ headers }) => (VERSIONS.has(String(headers['anthropic-version'])) ? keyOf(headers) : 'wrong'),
  },
  '/openai/v1/chat/completions': {
    read: readOpenai,
    json: openaiJson,
    events: openaiEvents,
    error: openaiError,
    key: ({ headers }) => keyOf(headers),
  },
};

function keyOf({ authorization, 'x-api-key': key }: IncomingMessage['headers']): string {
  return key === undefined ? (authorization?.replace(/^Bearer /, '') ?? 'none') : String(key);
}

/** A process's two model servers, on one port of the loopback interface. The model's name says what they do. */
export async function serveModels(): Promise<{ url: string; stop(): Promise<void> }> {
  const asked = new Map<string, number>();
  /** What was asked last with a key, for tests that look at it: `GET /last/KEY`. */
  const last = new Map<string, unknown>();
  const server = createServer((request, response) => {
    void answer(request, response, asked, last).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address() satisfies AddressInfo | string | null);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  asked: Map<string, number>,
  last: Map<string, unknown>,
): Promise<void> {
  const path = request.url ?? '';
  if (path.startsWith('/last/'))
    return sendJson(response, 200, last.get(path.slice('/last/'.length)) ?? null);
  const wire = WIRES[path];
  if (wire === undefined) return sendJson(response, 404, {});
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(z.instanceof(Buffer).parse(piece));
  const key = wire.key(request);
  if (key === 'wrong') return sendJson(response, 401, wire.error(401, `invalid key ${key}`));
  const input: unknown = JSON.parse(Buffer.concat(pieces).toString());
  last.set(key, { headers: request.headers, body: input });
  const understood = wire.read(input);
  if (typeof understood === 'string') return sendJson(response, 400, wire.error(400, understood));
  const counter = `${path} ${key} ${understood.scene.model}`;
  const askedBefore = asked.get(counter) ?? 0;
  asked.set(counter, askedBefore + 1);
  const played = play({ ...understood.scene, key, askedBefore });
  if ('status' in played)
    return sendJson(response, played.status, wire.error(played.status, played.message), played.headers);
  if (!understood.stream) return sendJson(response, 200, wire.json(played, understood));
  if (played.trouble === 'mute') return;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await send(response, wire.events(played, understood), played.trouble);
}

async function send(
  response: ServerResponse,
  events: Iterable<string>,
  trouble: Answer['trouble'],
): Promise<void> {
  let sent = 0;
  for (const event of events) {
    if (trouble === 'drip') return drip(response, event);
    response.write(trouble === 'garbage' && sent === 2 ? 'data: {"not json\n\n' : event);
    sent += 1;
    if (sent < 3) continue;
    if (trouble === 'hang') return;
    if (trouble === 'closed') {
      // What was written has to leave first.
      setTimeout(() => response.destroy(), 20);
      return;
    }
    if (trouble === 'ended') break;
  }
  response.end();
}

/** One byte after the other, and slowly. */
function drip(response: ServerResponse, text: string): void {
  let index = 0;
  const timer = setInterval(() => {
    if (index >= text.length || response.destroyed) clearInterval(timer);
    else response.write(text.charAt(index));
    index += 1;
  }, 40);
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
