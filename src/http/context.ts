import type { Context } from 'hono';
import type { Problem } from '../core/problem.ts';
import { newId } from '../core/ids.ts';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { problemResponse } from './problem.ts';

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: Env;
}

export type AppContext = Context<AppEnv>;

export function refuse(context: AppContext, problem: Problem): Response {
  return problemResponse(problem, requestId(context));
}

/** What a person quotes when something went wrong. Made when it is needed: most answers need none. */
export function requestId(context: AppContext): string {
  return context.req.header('CF-Ray')?.slice(0, REQUEST_LIMITS.agentCharacters) ?? newId('req');
}

/** An answer that belongs to its caller: never shared by a cache, never sniffed. */
export function privateHeaders(entityTag: string | null, contentType: string): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': contentType,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization',
    'X-Content-Type-Options': 'nosniff',
  };
  if (entityTag !== null) headers['ETag'] = entityTag;
  return headers;
}

export function answerJson(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return answerText(JSON.stringify(value), status, headers);
}

/** Copied as a whole, which is half the work of reading each header anew. */
const JSON_HEADERS = new Headers(privateHeaders(null, 'application/json'));

/** An answer that is JSON already. */
export function answerText(json: string, status = 200, headers: Record<string, string> = {}): Response {
  const response = new Response(json, { status, headers: JSON_HEADERS });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** True where the caller has this very entity already (RFC 9110, weak comparison; `*` is for writes and ignored). */
export function isNotModified(context: AppContext, entityTag: string): boolean {
  const known = context.req.header('If-None-Match');
  if (known === undefined) return false;
  return known === entityTag || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}

export function notModified(entityTag: string, vary = 'Authorization'): Response {
  return new Response(null, {
    status: 304,
    headers: { ETag: entityTag, 'Cache-Control': 'private, no-cache', Vary: vary },
  });
}
