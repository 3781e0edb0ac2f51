import { z } from 'zod';
import { EntryName } from '../../catalog/catalog-entry.ts';
import { RequirementKind } from '../../catalog/requirement.ts';
import { BoundedCache } from '../../core/bounded-cache.ts';
import { CACHE_LIMITS, LISTING_LIMITS, SKILL_LIMITS } from '../../core/limits.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { HostInventory } from '../../view/listing/host-inventory.ts';
import {
  canCount,
  type LayoutName,
  LISTING_UNITS,
  type ListingWishes,
  PROFILE_NAMES,
} from '../../view/listing/list-skills.ts';
import type { SkillStates } from '../../view/settings/skill-states.ts';
import type { AppContext } from '../context.ts';
import { insideProject, PlatformName, ProductName } from './host-names.ts';

const FORMATS = ['json', 'text', 'xml', 'reminder'] as const;
export type ListingFormat = (typeof FORMATS)[number];

/** What a request for a listing asks. */
export interface ListingQuery {
  readonly contextWindow: number | null;
  readonly format: ListingFormat;
  readonly wishes: ListingWishes;
  /** Where this request wants skills to stand; it can hide, and show nothing that is hidden from it. */
  readonly states: SkillStates;
  readonly tool: boolean;
  /** Where to go on with the rows of all skills; null where they are not wanted. */
  readonly coverage: string | null;
  /** The same for requests that get the same answer of the same view. */
  readonly key: string;
}

const Window = z.coerce.number().int().min(1).max(LISTING_LIMITS.contextWindowTokens).optional();
/** An empty text is no number. */
const Size = z.string().min(1).pipe(z.coerce.number<string>().int().min(0).max(LISTING_LIMITS.budget));
const Switch = z.enum(['1', 'true', '0', 'false']).transform((word) => word === '1' || word === 'true');
const Paths = z
  .string()
  .max(LISTING_LIMITS.touchedCharacters)
  .transform((text) => text.split(',').filter((path) => path !== ''))
  .refine((paths) => paths.length <= LISTING_LIMITS.touchedPaths);

/** Names, or `layer/name`. A name with a comma in it can be given a state in the settings only. */
const Names = z
  .string()
  .max(LISTING_LIMITS.statedCharacters)
  .default('')
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .pipe(z.array(z.string().max(LISTING_LIMITS.statedNameCharacters)).max(LISTING_LIMITS.statedByRequest));

/** `bins:gh,env:GITHUB_TOKEN`; `bins:` alone says that there are none. A name with a comma in it cannot be said here. */
const Has = z
  .string()
  .max(LISTING_LIMITS.statedCharacters)
  .transform((text) => {
    const said = text.split(',').filter((each) => each !== '');
    const byKind = Map.groupBy(said, (each) => each.split(':', 1)[0] ?? '');
    return Object.fromEntries(
      [...byKind].map(([kind, all]) => [
        kind,
        all.map((each) => each.slice(kind.length + 1)).filter((name) => name !== ''),
      ]),
    );
  })
  .pipe(HostInventory);

const Query = z.object({
  context_window: Window,
  budget: Size.optional(),
  unit: z.enum(LISTING_UNITS).optional(),
  format: z.enum(FORMATS).optional(),
  profile: z.enum(PROFILE_NAMES).default('skilledge'),
  audience: z.enum(['model', 'user']).default('model'),
  paths: Paths.default([]),
  platform: PlatformName.optional(),
  product: ProductName.optional(),
  has: Has.optional(),
  bodies: Switch.default(true),
  query: z.string().max(LISTING_LIMITS.queryCharacters).default(''),
  announce: Switch.optional(),
  pinned: Names,
  name_only: Names,
  manual: Names,
  off: Names,
  tool: Switch.default(false),
  coverage: z.enum(['full', 'counts']).default('counts'),
  coverage_cursor: EntryName.optional(),
});
type Name = keyof typeof Query.shape;

const NAMES_WRONG = `has more than ${LISTING_LIMITS.statedByRequest} names or ${LISTING_LIMITS.statedCharacters} characters`;
const HOST_WRONG = `has no or more than ${SKILL_LIMITS.entryHostCharacters} characters`;
const WRONG: Readonly<Record<Name, string>> = {
  context_window: `is not a whole number of tokens from 1 to ${LISTING_LIMITS.contextWindowTokens}`,
  budget: `is not a whole number from 0 to ${LISTING_LIMITS.budget}, or the profile has its own`,
  unit: `is none of ${LISTING_UNITS.join(', ')}, or the profile has its own, or it is counted, and the format XML`,
  format: `is none of ${FORMATS.join(', ')}, or not one that goes with the other parameters`,
  profile: `is none of ${PROFILE_NAMES.join(', ')}`,
  audience: 'is neither model nor user',
  paths: `has more than ${LISTING_LIMITS.touchedPaths} paths or ${LISTING_LIMITS.touchedCharacters} characters`,
  platform: HOST_WRONG,
  product: HOST_WRONG,
  has: `is not like bins:gh,env:GITHUB_TOKEN, with ${RequirementKind.options.join(', ')}, or has more than ${LISTING_LIMITS.statedCharacters} characters`,
  bodies: 'is neither 1 nor 0',
  query: `has more than ${LISTING_LIMITS.queryCharacters} characters`,
  announce: 'is neither 1 nor 0',
  pinned: NAMES_WRONG,
  name_only: NAMES_WRONG,
  manual: NAMES_WRONG,
  off: NAMES_WRONG,
  tool: 'is neither 1 nor 0',
  coverage: 'is neither full nor counts',
  coverage_cursor: 'is not one that a page gave',
};

const LAYOUTS: Readonly<Record<ListingFormat, LayoutName>> = {
  json: 'lines',
  text: 'lines',
  xml: 'xml',
  reminder: 'reminder',
};

/** The lists of names by their states, the strictest last. */
const LISTED_STATES = { pinned: 'pinned', name_only: 'name-only', manual: 'manual', off: 'off' } as const;
const StateList = z.enum(['pinned', 'name_only', 'manual', 'off']);

/** Parameters that may be repeated. */
const LISTS: ReadonlySet<Name> = new Set(['paths', 'has', ...StateList.options]);

/** A request by itself knows of nothing that happened before it. */
const NONE: ReadonlySet<string> = new Set();

/** What was read of requests before: agents ask with the same few, again and again. */
const known = new BoundedCache<string, Result<ListingQuery>>(CACHE_LIMITS.listings);

export function readListingQuery(context: AppContext): Result<ListingQuery> {
  const { url } = context.req;
  const start = url.indexOf('?');
  const accept = context.req.header('Accept') ?? '';
  const key = start === -1 ? accept : `${accept}\n${url.slice(start)}`;
  const before = known.get(key);
  if (before) return before;
  const query = parse(new URL(url).searchParams, accept);
  if (key.length <= LISTING_LIMITS.rememberedCharacters) known.set(key, query);
  return query;
}

function parse(parameters: URLSearchParams, accept: string): Result<ListingQuery> {
  const given: Partial<Record<Name, string>> = {};
  for (const name of Query.keyof().options) {
    const values = parameters.getAll(name);
    if (values.length > 0) given[name] = LISTS.has(name) ? values.join(',') : (values[0] ?? '');
  }
  const parsed = Query.safeParse(given);
  if (!parsed.success)
    return wrong(Query.keyof().safeParse(parsed.error.issues[0]?.path[0]).data ?? 'format');
  const { context_window, profile, audience, paths, query, tool, coverage, coverage_cursor } = parsed.data;
  const { budget = null, unit } = parsed.data;
  const { platform = null, product = null, has = null, bodies: loadsBodies, announce = null } = parsed.data;
  const structured = tool || coverage === 'full';
  const format = parsed.data.format ?? (structured ? 'json' : accepted(accept));
  // Other systems have their own layout, and only JSON has a place for rows and tools, and for the profile's name.
  const other = profile !== 'skilledge';
  if (other && budget !== null) return wrong('budget');
  if (other && unit !== undefined) return wrong('unit');
  if (unit === 'counted' && !canCount(LAYOUTS[format])) return wrong('unit');
  if ((structured || other) && format !== 'json') return wrong('format');
  const answer = {
    contextWindow: context_window ?? null,
    format,
    wishes: {
      audience,
      paths: insideProject(paths, platform),
      activated: NONE,
      platform,
      product,
      has,
      loadsBodies,
      query,
      announce,
      layout: LAYOUTS[format],
      profile,
      unit: unit ?? 'characters',
      budget,
    },
    states: statesOf(parsed.data),
    tool,
    coverage: coverage === 'full' ? (coverage_cursor ?? '') : null,
  };
  return ok({ ...answer, key: JSON.stringify(answer) });
}

/** The strictest word counts where a name is in several lists. */
function statesOf(lists: Readonly<Record<keyof typeof LISTED_STATES, readonly string[]>>): SkillStates {
  return Object.fromEntries(
    StateList.options.flatMap((list) => lists[list].map((name) => [name, LISTED_STATES[list]])),
  );
}

/** The format that a caller who names none can read best. */
function accepted(accept: string): ListingFormat {
  const types = accept
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()));
  const weighed = types.map(([type = '', ...parameters]) => {
    const weight = Number(parameters.find((word) => word.startsWith('q='))?.slice(2) ?? 1);
    return { type, weight: Number.isFinite(weight) ? weight : 0 };
  });
  const best = weighed
    .filter(({ weight }) => weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
    .find(({ type }) => Object.hasOwn(TYPES, type));
  return (best && TYPES[best.type]) ?? 'json';
}

const TYPES: Readonly<Record<string, ListingFormat>> = {
  '*/*': 'json',
  'application/*': 'json',
  'application/json': 'json',
  'text/*': 'text',
  'text/plain': 'text',
  'text/xml': 'xml',
  'application/xml': 'xml',
};

function wrong(at: Name): Result<ListingQuery> {
  return fail({
    code: 'bad_request',
    at,
    detail: `${at} ${WRONG[at]}`,
    hint: 'For instance GET /v1/listing?context_window=200000&format=text.',
  });
}
