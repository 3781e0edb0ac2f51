import type { Layer } from '../../catalog/layers.ts';
import { BoundedCache } from '../../core/bounded-cache.ts';
import type { Digest } from '../../core/digest.ts';
import { CACHE_LIMITS } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { Principal } from '../../view/principal.ts';
import { requestedLayers } from '../../view/principal.ts';
import { ALL_SCOPES, type ParsedToken, parseToken, type TokenRecord } from '../../view/token.ts';
import type { ViewRecord } from '../../view/view-record.ts';
import type { AppContext } from '../context.ts';
import { servicesFor } from '../services.ts';

const BEARER = /^Bearer +(\S{1,200}) *$/i;
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface Authenticated {
  readonly principal: Principal;
  readonly views: readonly (ViewRecord | null)[];
  readonly layers: readonly Layer[];
}

/**
 * Reads the token and the view records that the request's `scope=` names in one round: the token's text names its
 * organisation, and nothing of the views is used before the token proved it.
 */
export async function authenticate(
  context: AppContext,
  scope: string | undefined,
): Promise<Result<Authenticated>> {
  const token = bearerToken(context.req.header('Authorization') ?? '');
  if (!token) return fail(unauthenticated());
  const { organisation } = token;
  const { records } = servicesFor(context.env);
  const development = token.development ? developmentRecord(context, token) : null;
  if (token.development && !development) return fail(unauthenticated());
  // Which layers a bound token stands for is known only with its record; what the request names is not.
  const named = requestedLayers({ layers: null }, scope);
  if (!named.ok) return named;
  const first = await records.read(development ? null : token, named.value, organisation);
  const record = development ?? first.token;
  if (
    !record ||
    record.organisation !== organisation ||
    (record.expiresAt !== null && record.expiresAt <= Date.now())
  ) {
    return fail(unauthenticated());
  }
  const principal: Principal = {
    organisation,
    label: record.label,
    scopes: record.scopes,
    layers: record.layers,
    trust: record.trust,
    actor: record.actor,
  };
  if (principal.layers === null) return ok({ principal, layers: named.value, views: first.views });
  const layers = requestedLayers(principal, scope);
  if (!layers.ok) return layers;
  const more = layers.value.filter((layer) => !named.value.includes(layer));
  const second = more.length === 0 ? [] : (await records.read(null, more, organisation)).views;
  return ok({ principal, layers: [...named.value, ...more], views: [...first.views, ...second] });
}

/** Tokens by the header they came in, as long as this isolate sees them often: hashing is a good part of a warm request. */
const tokens = new BoundedCache<string, ParsedToken>(CACHE_LIMITS.records);

function bearerToken(header: string): ParsedToken | null {
  const known = tokens.get(header);
  if (known) return known;
  const token = parseToken(BEARER.exec(header)?.[1] ?? '');
  if (token) tokens.set(header, token);
  return token;
}

/**
 * A development token works only where `npm start` made the deployment: with its hash and `DEPLOYMENT=local` in the
 * environment, and on a loopback address. Any one of the three missing refuses it.
 */
function developmentRecord(context: AppContext, token: ParsedToken): TokenRecord | null {
  const local = context.env.DEPLOYMENT === 'local' && LOCAL_HOSTS.has(new URL(context.req.url).hostname);
  const expected: Digest | string | undefined = context.env.DEVELOPMENT_TOKEN_HASH;
  if (!local || !expected || token.hash !== expected) return null;
  return {
    version: 1,
    organisation: token.organisation,
    label: 'development',
    scopes: [...ALL_SCOPES],
    layers: null,
    expiresAt: null,
    trust: 'trusted',
    actor: 'person',
  };
}

function unauthenticated(): Problem {
  return {
    code: 'unauthenticated',
    detail: 'this request has no token that is valid here',
    hint: 'Send "Authorization: Bearer TOKEN". Tokens of `npm start` work on that local server only.',
  };
}
