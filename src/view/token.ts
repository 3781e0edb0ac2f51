import { z } from 'zod';
import { Layer, ORGANISATION_PATTERN } from '../catalog/layers.ts';
import { Trust } from '../catalog/provenance.ts';
import { base64Url } from '../core/ids.ts';
import { type Digest, digestOf } from '../core/digest.ts';

/** What a token may do. */
export const TokenScope = z.enum([
  'skills:read',
  'skills:invoke',
  'runs:start',
  'layers:push',
  'settings:write',
  'secrets:write',
  'decisions:approve',
  /** What everybody did. For a token that is bound to no layers: the log is of the whole organisation. */
  'audit:read',
  /** The layer that all organisations of a deployment share. */
  'bundled:push',
]);
export type TokenScope = z.infer<typeof TokenScope>;

export const ALL_SCOPES: readonly TokenScope[] = TokenScope.options;

/** Who holds a token. */
export const Actor = z.enum(['person', 'service', 'agent']);
export type Actor = z.infer<typeof Actor>;

/** What is stored of a token, under the SHA-256 of its text. The text itself is stored nowhere. */
export const TokenRecord = z.strictObject({
  version: z.literal(1),
  organisation: z.string().regex(ORGANISATION_PATTERN),
  /** A label for people and logs, such as "ci". */
  label: z.string().min(1).max(100),
  scopes: z.array(TokenScope),
  /** The user, project, plugin and mcp layers it may name; null: any. */
  layers: z.array(Layer).nullable(),
  /** Milliseconds since 1970, or null. */
  expiresAt: z.number().nullable(),
  /** How far what it publishes is trusted, before the layer's bounds. Tokens from before this was asked are trusted services. */
  trust: Trust.exclude(['agent-created']).default('trusted'),
  /** Who holds it. What an agent publishes is agent-created, and no agent sees or judges what is held for people. */
  actor: Actor.default('service'),
});
export type TokenRecord = z.infer<typeof TokenRecord>;

/** Development tokens have a prefix of their own, so that a deployment can refuse them without looking them up. */
const TOKEN = /^(ske|ske-dev)_([a-z0-9-]{1,40})_([A-Za-z0-9_-]{43})$/;

export interface ParsedToken {
  readonly organisation: string;
  readonly development: boolean;
  readonly hash: Digest;
}

/** Reads a token's text: `ske_ORGANISATION_` and 32 random bytes in base64url. Null for anything else. */
export function parseToken(text: string): ParsedToken | null {
  const match = TOKEN.exec(text);
  const organisation = match?.[2] ?? '';
  if (!match || !ORGANISATION_PATTERN.test(organisation)) return null;
  return { organisation, development: match[1] === 'ske-dev', hash: digestOf(text) };
}

/** Makes a token's text. Show it once; store its hash. */
export function newToken(
  organisation: string,
  options: { development: boolean },
): { text: string; hash: Digest } {
  if (!ORGANISATION_PATTERN.test(organisation))
    throw new RangeError(`not an organisation's name: ${organisation}`);
  const secret = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const text = `${options.development ? 'ske-dev' : 'ske'}_${organisation}_${secret}`;
  return { text, hash: digestOf(text) };
}
