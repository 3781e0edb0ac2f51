import type { Layer } from '../../catalog/layers.ts';
import { BoundedCache } from '../../core/bounded-cache.ts';
import { isDigest } from '../../core/digest.ts';
import { CACHE_LIMITS } from '../../core/limits.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { Surroundings } from '../../view/surroundings.ts';
import { viewForAgent } from '../../view/narrow-view.ts';
import type { Principal } from '../../view/principal.ts';
import { requireScope } from '../../view/principal.ts';
import type { TokenScope } from '../../view/token.ts';
import { assembleView, type View } from '../../view/view.ts';
import type { ViewRecord } from '../../view/view-record.ts';
import { authenticate } from './authenticate.ts';
import type { AppContext } from '../context.ts';
import { servicesFor } from '../services.ts';

export interface Caller {
  readonly principal: Principal;
  readonly view: View;
  readonly layers: readonly Layer[];
  /** Parallel to the layers. */
  readonly records: readonly (ViewRecord | null)[];
}

const CATALOG_HEADER = 'Skilledge-Catalog';
const assembled = new BoundedCache<string, { records: readonly (ViewRecord | null)[]; view: View }>(
  CACHE_LIMITS.records,
);

/** Who asks, and everything that this request may see. Every read of a skill goes through this. */
export async function viewOf(context: AppContext, scope: TokenScope): Promise<Result<Caller>> {
  const caller = await recordsOf(context, scope);
  if (!caller.ok) return caller;
  const { principal, layers, records } = caller.value;
  const view = remembered(context.env.FLAGS, principal.organisation, layers, records);
  // A body can name an agent as well; whoever reads it narrows the view further.
  const agent = context.req.query('agent');
  return ok({ ...caller.value, view: agent === undefined ? view : viewForAgent(view, agent) });
}

/** What is as it is now, whatever catalogs a session stands at. */
export function surroundingsOf(
  context: AppContext,
  layers: readonly Layer[],
  records: readonly (ViewRecord | null)[],
): Surroundings {
  return { organisation: records[layers.indexOf('org')] ?? null, flags: flagList(context.env.FLAGS) };
}

/** Who asks, and where the layers of the request stand. */
export async function recordsOf(
  context: AppContext,
  scope: TokenScope,
): Promise<Result<Omit<Caller, 'view'>>> {
  const authenticated = await authenticate(context, context.req.query('scope'));
  if (!authenticated.ok) return authenticated;
  const { principal, layers, views } = authenticated.value;
  const refused = requireScope(principal, scope);
  if (refused) return fail(refused);
  const wanted = context.req.header(CATALOG_HEADER);
  const records = wanted === undefined ? ok(views) : await atLeast(context, principal, layers, views, wanted);
  return records.ok ? ok({ principal, layers, records: records.value }) : records;
}

/** Feature flags of the deployment, from its variable. */
function flagList(flags: string): string[] {
  return flags === '' ? [] : flags.split(',');
}

function remembered(
  flags: string,
  organisation: string,
  layers: readonly Layer[],
  records: readonly (ViewRecord | null)[],
): View {
  const key = `${organisation}\n${layers.join(',')}\n${flags}`;
  const known = assembled.get(key);
  const same = known?.records.every((record, index) => record === records[index]) === true;
  if (known && same && Date.now() < known.view.validUntil) return known.view;
  const view = assembleView(organisation, records, flagList(flags));
  assembled.set(key, { records, view });
  return view;
}

/**
 * `Skilledge-Catalog: org=sha256:...` asks for a view that is at least as new as that catalog. Where the copy at hand is
 * another one, the owner of the head is asked: the only read that reaches a Durable Object, and only on request.
 */
async function atLeast(
  context: AppContext,
  principal: Principal,
  layers: readonly Layer[],
  views: readonly (ViewRecord | null)[],
  header: string,
): Promise<Result<readonly (ViewRecord | null)[]>> {
  const wanted = header.split(',').map((part) => part.trim().split('='));
  const { records, catalogs } = servicesFor(context.env);
  const result = [...views];
  for (const [layer = '', catalog = ''] of wanted) {
    const index = layers.indexOf(layer);
    if (index === -1 || !isDigest(catalog)) {
      return fail({
        code: 'bad_request',
        detail: `${CATALOG_HEADER} names ${layer.slice(0, 80).toWellFormed()}, which is no layer of this request with a digest`,
        hint: `Write ${CATALOG_HEADER}: org=sha256:<64 hex digits>.`,
      });
    }
    if (result[index]?.head?.catalog === catalog) continue;
    const [fresh] = await records.readFresh([layer], principal.organisation);
    const reached =
      fresh?.head?.catalog === catalog ||
      (await catalogs.hasPublished(layer, principal.organisation, catalog));
    if (!fresh || !reached) {
      return fail({
        code: 'catalog_stale',
        detail: `${layer} never stood at ${catalog}`,
        hint: 'Push it first, or leave the header out.',
      });
    }
    result[index] = fresh;
  }
  return ok(result);
}
