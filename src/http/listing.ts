import { Hono } from 'hono';
import { z } from 'zod';
import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_LIMITS, LISTING_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { fitToWindow, type Listing, mergeListing, type MergedListing } from '../view/list-skills.ts';
import type { View } from '../view/view.ts';
import {
  type AppContext,
  type AppEnv,
  isNotModified,
  notModified,
  privateHeaders,
  refuse,
} from './context.ts';
import { viewOf } from './view-of.ts';
import { servicesFor } from './services.ts';

const Query = z.object({
  context_window: z.coerce.number().int().min(1).max(LISTING_LIMITS.contextWindowTokens).optional(),
  format: z.enum(['json', 'text']).default('json'),
});

interface Rendered {
  readonly listing: Listing;
  readonly json: string;
}

/** Longer queries are somebody's mistake, and not worth remembering. */
const LONGEST_KEY = 40;

/** Listings as they were answered, by view and window: a warm one costs a look-up. */
const rendered = new BoundedCache<string, Rendered>(CACHE_LIMITS.listingBytes);
/** Merged views, so that another window of the same view only has to be fitted. */
const merged = new BoundedCache<string, MergedListing>(CACHE_LIMITS.listings);

export const listing = new Hono<AppEnv>().get('/', async (context) => {
  const query = readQuery(context);
  if (!query.ok) return refuse(context, query.error);
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return refuse(context, caller.error);
  const answer = await render(context, caller.value.view, query.value.contextWindow);
  if (!answer.ok) return refuse(context, answer.error);
  const { listing: fitted, json } = answer.value;
  if (isNotModified(context, fitted.entityTag)) return notModified(fitted.entityTag);
  const text = query.value.format === 'text';
  const headers = privateHeaders(fitted.entityTag, text ? 'text/plain; charset=utf-8' : 'application/json');
  return new Response(text ? fitted.text : json, { headers });
});

interface ReadQuery {
  readonly contextWindow: number | null;
  readonly format: 'json' | 'text';
}

/** What was read of queries before: agents ask with the same few, again and again. */
const queries = new BoundedCache<string, Result<ReadQuery>>(CACHE_LIMITS.listings);

function readQuery(context: AppContext): Result<ReadQuery> {
  const window = context.req.query('context_window');
  const format = context.req.query('format');
  const key = `${window ?? ''}\n${format ?? ''}\n${window === undefined}`;
  const known = queries.get(key) ?? parseQuery(window, format);
  if (key.length <= LONGEST_KEY) queries.set(key, known);
  return known;
}

function parseQuery(window: string | undefined, format: string | undefined): Result<ReadQuery> {
  const parsed = Query.safeParse({ context_window: window, format });
  if (parsed.success)
    return ok({ contextWindow: parsed.data.context_window ?? null, format: parsed.data.format });
  const name = String(parsed.error.issues[0]?.path[0] ?? '');
  return fail({
    code: 'bad_request',
    at: name,
    detail:
      name === 'context_window'
        ? `context_window is not a whole number of tokens from 1 to ${LISTING_LIMITS.contextWindowTokens}`
        : 'format is neither json nor text',
    hint: 'For instance GET /v1/listing?context_window=200000&format=text.',
  });
}

async function render(
  context: AppContext,
  view: View,
  contextWindow: number | null,
): Promise<Result<Rendered>> {
  const scope = `${view.organisation}\n${view.fingerprint}`;
  const key = `${scope}\n${contextWindow ?? ''}`;
  const known = rendered.get(key);
  if (known) return ok(known);
  const entries = merged.get(scope) ?? (await mergeListing(servicesFor(context.env).blobs, view));
  if (!entries) return fail(unreadable());
  merged.set(scope, entries);
  const fitted = fitToWindow(view, entries, contextWindow);
  const { text, used, budget, counts } = fitted;
  const catalogs = Object.fromEntries(view.layers.map(({ layer, head }) => [layer, head.catalog]));
  const json = JSON.stringify({
    listing: text,
    unit: 'characters',
    used,
    budget,
    contextWindow,
    counts,
    catalogs,
  });
  const answer = { listing: fitted, json };
  rendered.set(key, answer, (text.length + json.length) * 2);
  return ok(answer);
}

function unreadable(): Problem {
  return {
    code: 'storage_unavailable',
    detail: 'a listing index cannot be read now',
    hint: 'Try again in a few seconds.',
  };
}
