import { fitToWindow, mergeListing, NO_WISHES } from '../../src/view/listing/list-skills.ts';
import { REQUESTS } from '../../test/search/requests.ts';
import { viewOver } from '../../test/view/listing-views.ts';
import { compileCorpora } from './corpora-entries.ts';
import { CORPORA } from './measure-retrieval.ts';

/** The share of requests whose right skill is at least named in the listing. */
export interface ListingRecall {
  /** Tokens. */
  readonly window: number;
  /** With the request as `query`. */
  readonly named: number;
  /** The same listing for every request. */
  readonly namedWithoutQuery: number;
}

/** Fits a listing of the corpora for every request and window, as the deployment does; null without corpora. */
export async function measureListingRecall(
  root: string,
  windows: readonly number[],
): Promise<ListingRecall[] | null> {
  const corpora = await compileCorpora(root, CORPORA);
  if (!corpora) return null;
  const { view, blobs } = viewOver([['org', corpora.entries]]);
  const merged = await mergeListing(blobs, view);
  if (!merged) throw new Error('no listing of the corpora');
  const namesIn = (window: number, query: string): Set<string> => {
    const { chosen, states } = fitToWindow(view, merged, window, { ...NO_WISHES, query });
    const named = chosen.listed.filter((_, at) => states[at] !== 'omitted');
    return new Set(named.map(({ skill }) => skill.entry.name));
  };
  return windows.map((window) => {
    const always = namesIn(window, '');
    return {
      window,
      named: shareOf((request, skill) => namesIn(window, request).has(skill)),
      namedWithoutQuery: shareOf((_, skill) => always.has(skill)),
    };
  });
}

function shareOf(isNamed: (request: string, skill: string) => boolean): number {
  return REQUESTS.filter(([request, skill]) => isNamed(request, skill)).length / REQUESTS.length;
}
