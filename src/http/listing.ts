import { Hono } from 'hono';
import { TOKENIZER } from '../catalog/token-counts.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { digestOf } from '../core/digest.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { listingFitted } from '../invoke/event.ts';
import { estimatedTokens } from '../listing/measure.ts';
import { SEARCH_TOOL, skillTool } from '../listing/tool-definitions.ts';
import { callableNames } from '../view/listing/callable-skills.ts';
import { pageCoverage } from '../view/listing/coverage.ts';
import { fitToWindow, type Listing, mergeListing, type MergedListing } from '../view/listing/list-skills.ts';
import { narrowView } from '../view/narrow-view.ts';
import type { View } from '../view/view.ts';
import {
  type AppContext,
  type AppEnv,
  isNotModified,
  notModified,
  privateHeaders,
  refuse,
} from './context.ts';
import { type ListingFormat, type ListingQuery, readListingQuery } from './request/listing-query.ts';
import { unreadable } from './problem.ts';
import { viewOf } from './request/view-of.ts';
import { servicesFor } from './services.ts';

interface Rendered {
  /** As it is sent: encoding a text takes a good part of a warm request. */
  readonly body: Uint8Array;
  readonly entityTag: string;
  readonly headers: Headers;
}

const CONTENT_TYPES: Readonly<Record<ListingFormat, string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  reminder: 'text/plain; charset=utf-8',
};

const VARY = 'Authorization, Accept';

/** Listings as they were answered, by view and request: a warm one costs a look-up. */
const rendered = new BoundedCache<string, Rendered>(CACHE_LIMITS.listingBytes);

export const listing = new Hono<AppEnv>().get('/', async (context) => {
  const query = readListingQuery(context);
  if (!query.ok) return refuse(context, query.error);
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return refuse(context, caller.error);
  const view = narrowView(caller.value.view, query.value.states);
  const answer = await render(context, view, query.value);
  if (!answer.ok) return refuse(context, answer.error);
  const { body, entityTag, headers } = answer.value;
  return isNotModified(context, entityTag) ? notModified(entityTag, VARY) : new Response(body, { headers });
});

async function render(context: AppContext, view: View, query: ListingQuery): Promise<Result<Rendered>> {
  const key = `${view.organisation}\n${view.fingerprint}\n${query.key}`;
  const known = rendered.get(key);
  if (known) return ok(known);
  const { blobs, events } = servicesFor(context.env);
  const entries = await mergeListing(blobs, view);
  if (!entries) return fail(unreadable('a listing index'));
  const fitted = fitToWindow(view, entries, query.contextWindow, query.wishes);
  const { profile } = query.wishes;
  const asked = { profile, agent: context.req.query('agent') ?? null, session: false };
  for (const event of listingFitted(fitted, fitted.counts, asked)) events.emit(view, event);
  if (query.format !== 'json') return ok(remember(key, query.format, fitted.text));
  const answer = { ...describe(view, fitted, query), ...(query.tool ? tools(entries, fitted, query) : {}) };
  if (query.coverage === null) return ok(remember(key, query.format, JSON.stringify(answer)));
  const coverage = await pageCoverage(blobs, view, entries, fitted, query.coverage);
  return coverage
    ? ok(remember(key, query.format, JSON.stringify({ ...answer, coverage })))
    : fail(unreadable('a listing index'));
}

const encoder = new TextEncoder();

function remember(key: string, format: ListingFormat, text: string): Rendered {
  const body = encoder.encode(text);
  const entityTag = `"${digestOf(body)}"`;
  const headers = new Headers(privateHeaders(entityTag, CONTENT_TYPES[format]));
  headers.set('Vary', VARY);
  const answer = { body, entityTag, headers };
  rendered.set(key, answer, key.length * 2 + body.length);
  return answer;
}

function describe(view: View, fitted: Listing, { wishes }: ListingQuery) {
  const { text, unit, estimatedEntries, used, budget, contextWindow, counts } = fitted;
  return {
    listing: text,
    profile: wishes.profile,
    ...(wishes.profile === 'skilledge' ? {} : { comparisonOnly: true }),
    unit,
    ...(unit === 'counted' ? { tokenizer: TOKENIZER, estimatedEntries } : {}),
    used,
    budget,
    // A fourth of the bytes, whatever the unit.
    estimatedTokens: estimatedTokens(text),
    contextWindow,
    counts,
    usage: view.usage ? { snapshot: view.usage.at } : null,
    catalogs: Object.fromEntries(view.layers.map(({ layer, head }) => [layer, head.catalog])),
  };
}

/** Where a model has nothing to start, there is nothing to define. */
function tools(entries: MergedListing, { chosen }: Listing, { wishes }: ListingQuery) {
  const names = wishes.loadsBodies ? callableNames(entries, chosen) : [];
  if (names?.length === 0) return { tool: null, searchTool: null };
  return { tool: skillTool(names), searchTool: SEARCH_TOOL };
}
