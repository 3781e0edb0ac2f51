import { z } from 'zod';
import { type Answer, type Call, exchange } from './exchange.ts';
import type { Comparison } from './measure-load.ts';
import type { Organisation } from './organisations.ts';

/** Something to measure: a call, and what its every answer has to be. */
export interface Target {
  readonly id: string;
  readonly call: Call;
  readonly expected: Pick<Answer, 'status' | 'body' | 'wireBytes'>;
}

export const WARM: readonly Comparison[] = [
  { id: 'listing', target: 'listing', base: 'hello', by: 'CPU time', budget: 2.5 },
  { id: 'listing-not-modified', target: 'listing-not-modified', base: 'hello', by: 'CPU time', budget: 1.5 },
  { id: 'body', target: 'body', base: 'hello', by: 'CPU time', budget: 2.5 },
  { id: 'not-modified', target: 'body-not-modified', base: 'hello', by: 'CPU time', budget: 1.5 },
  { id: 'decision', target: 'decision', base: 'hello', by: 'CPU time', budget: 2.5 },
  { id: 'invoke', target: 'invoke', base: 'hello', by: 'CPU time', budget: 3 },
  { id: 'invoke-session', target: 'invoke-session', base: 'object-write', by: 'CPU time', budget: 1.5 },
];

export const BESIDE_PEERS: readonly Comparison[] = [
  { id: 'listing-mcp-sdk', target: 'listing', base: 'mcp-skills-list', by: 'throughput', budget: 5 },
  { id: 'listing-agents', target: 'listing', base: 'agents-turn', by: 'throughput', budget: 10 },
];

/** The same requests where there are other numbers of skills, against the first of them. */
export function growth(few: number, many: number): Comparison[] {
  return ['listing', 'body'].map((id) => ({
    id: `${id}-growth`,
    target: `${id}-${many}`,
    base: `${id}-${few}`,
    by: 'CPU time',
    budget: 1.25,
  }));
}

const SessionAnswer = z.object({ id: z.string() });

const PROTOCOL = '2026-07-28';
const MCP_LIST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'skills/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': PROTOCOL,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

export async function helloTarget(url: URL): Promise<Target> {
  return prepare('hello', get(url, {}), 200, (body) => body === 'hello');
}

/** A bare call of an object that writes one row, as everything that is noted in a session needs at least. */
export async function objectTarget(url: URL): Promise<Target> {
  return prepare('object-write', get(new URL('/write', url), {}), 200, (body) => body === 'written');
}

/** A listing and a body of an organisation, the same ones whichever it is. */
export async function growthTargets(product: URL, { token, compiled }: Organisation): Promise<Target[]> {
  const authorised = { Authorization: `Bearer ${token}` };
  const { entries } = compiled.head;
  return [
    await prepare(`listing-${entries}`, listingCall(product, authorised), 200, isListing),
    await prepare(`body-${entries}`, bodyCall(product, compiled, authorised), 200, isBody),
  ];
}

/** Every warm route that changes nothing. */
export async function warmTargets(product: URL, { token, compiled }: Organisation): Promise<Target[]> {
  const authorised = { Authorization: `Bearer ${token}` };
  const unchanged = async (id: string, call: Call): Promise<Target> => {
    const { entityTag } = await exchange(call);
    if (entityTag === undefined) throw new Error(`${id}: no ETag`);
    const conditional = { ...call, headers: { ...call.headers, 'If-None-Match': entityTag } };
    return prepare(id, conditional, 304, (body) => body === '');
  };
  const listing = listingCall(product, authorised);
  const body = bodyCall(product, compiled, authorised);
  const decision = postCall(product, '/v1/decisions', authorised, { skill: middleSkill(compiled) });
  return [
    await prepare('listing', listing, 200, isListing),
    await unchanged('listing-not-modified', listing),
    await prepare('body', body, 200, isBody),
    await unchanged('body-not-modified', body),
    await prepare('decision', decision, 200, (answer) => answer.includes('"decision":"allow"')),
  ];
}

/** Invocations, of an organisation of their own: uses rank its listings. */
export async function invokeTargets(product: URL, { token, compiled }: Organisation): Promise<Target[]> {
  const authorised = { Authorization: `Bearer ${token}` };
  const body = { skill: middleSkill(compiled), args: 'the draft' };
  const begun = await exchange(postCall(product, '/v1/sessions', authorised, {}));
  const { id: session } = SessionAnswer.parse(JSON.parse(begun.body));
  const inSession = postCall(product, '/v1/invoke', authorised, { ...body, session });
  // From the second time on the session answers that its agent has the skill, and notes it all the same.
  await exchange(inSession);
  return [
    await prepare('invoke', postCall(product, '/v1/invoke', authorised, body), 200, isBody),
    await prepare('invoke-session', inSession, 200, (answer) => answer.includes('"alreadyLoaded":true')),
  ];
}

/** What an agent asks the peers for where it would ask us for a listing. */
export async function peerTargets(mcp: URL, agents: URL, skills: number): Promise<Target[]> {
  const list: Call = {
    url: new URL('/mcp', mcp),
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': PROTOCOL,
      'MCP-Method': MCP_LIST.method,
    },
    body: JSON.stringify(MCP_LIST),
  };
  const page = Math.min(skills, 100);
  return [
    // Its first page, of the size that is its default.
    await prepare('mcp-skills-list', list, 200, (body) => body.split('"frontmatter":').length - 1 === page),
    await prepare('agents-turn', get(agents, {}), 200, (body) => body.split('\n- ').length - 1 === skills),
  ];
}

export function listingCall(product: URL, headers: Call['headers']): Call {
  return get(new URL('/v1/listing?context_window=200000&format=text', product), headers);
}

export function isListing(body: string): boolean {
  return body.startsWith('- ');
}

function bodyCall(product: URL, compiled: Organisation['compiled'], headers: Call['headers']): Call {
  return get(new URL(`/v1/skills/${middleSkill(compiled)}/body`, product), headers);
}

function isBody(body: string): boolean {
  return body.includes('## Part 1');
}

function middleSkill({ entries }: Organisation['compiled']): string {
  return entries[Math.floor(entries.length / 2)]?.name ?? '';
}

function postCall(product: URL, path: string, headers: Call['headers'], content: object): Call {
  return {
    url: new URL(path, product),
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(content),
  };
}

function get(url: URL, headers: Call['headers']): Call {
  return { url, method: 'GET', headers, body: null };
}

async function prepare(
  id: string,
  call: Call,
  status: number,
  isRight: (body: string) => boolean,
): Promise<Target> {
  const answer = await exchange(call);
  if (answer.status !== status || !isRight(answer.body)) {
    throw new Error(`${id}: ${answer.status} is not the answer to measure: ${answer.body.slice(0, 300)}`);
  }
  return { id, call, expected: answer };
}

/** Fails where a target answers anything but what it answered at first. */
export async function verify({ id, call, expected }: Target): Promise<void> {
  const answer = await exchange(call);
  if (
    answer.status !== expected.status ||
    answer.body !== expected.body ||
    answer.wireBytes !== expected.wireBytes
  ) {
    throw new Error(
      `${id}: answered ${answer.status} with ${answer.wireBytes} bytes, not ${expected.status} with ${expected.wireBytes}`,
    );
  }
}
