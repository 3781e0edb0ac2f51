import { SEARCH_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { termsOfQuery } from '../search/query-terms.ts';
import type { SearchQuery } from '../view/ports.ts';
import { searchSkills } from '../view/search-skills.ts';
import { answerJson, type AppContext, refuse } from './context.ts';
import { unreadable } from './problem.ts';
import { readLimit } from './request/read-limit.ts';
import { servicesFor } from './services.ts';
import { viewOf } from './request/view-of.ts';

/** `GET /v1/skills/search`. */
export async function search(context: AppContext): Promise<Response> {
  const query = readSearch(context);
  if (!query.ok) return refuse(context, query.error);
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return refuse(context, caller.error);
  const services = servicesFor(context.env);
  const begun = Date.now();
  const found = await searchSkills(services, caller.value.view, query.value);
  if (!found) {
    return refuse(context, unreadable('a search index'));
  }
  services.events.emit(caller.value.view, {
    kind: 'skills_searched',
    agent: context.req.query('agent') ?? null,
    terms: termsOfQuery(query.value.text).length,
    results: found.results.length,
    milliseconds: Date.now() - begun,
  });
  return answerJson(found);
}

function readSearch(context: AppContext): Result<Omit<SearchQuery, 'hidden'>> {
  const text = context.req.query('q')?.trim() ?? '';
  if (text === '' || text.length > SEARCH_LIMITS.queryCharacters) {
    return fail({
      code: 'bad_request',
      at: 'q',
      detail: `q is not a text of 1 to ${SEARCH_LIMITS.queryCharacters} characters`,
      hint: 'Say in a few words what is to be done, for instance q=merge+two+pdf+files.',
    });
  }
  const limit = readLimit(context, SEARCH_LIMITS.resultsDefault, SEARCH_LIMITS.results);
  if (!limit.ok) return limit;
  const audience = context.req.query('audience');
  if (audience !== undefined && audience !== 'model') {
    return fail({
      code: 'bad_request',
      at: 'audience',
      detail: 'audience is not model',
      hint: 'Leave it out for all skills; audience=model leaves out those that only people start.',
    });
  }
  return ok({ text, limit: limit.value, forModels: audience === 'model' });
}
