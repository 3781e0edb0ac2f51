import { Hono } from 'hono';
import { REQUEST_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { chooseModel } from '../model/choose-model.ts';
import { providersProblem } from '../model/provider-settings.ts';
import { mcpServersProblem } from '../view/settings/mcp-settings.ts';
import { DEFAULT_SETTINGS, OrgSettings } from '../view/settings/org-settings.ts';
import { actorOf } from '../view/principal.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { expectedRevision } from './request/if-match.ts';
import { readJson } from './request/read-body.ts';
import { viewOf } from './request/view-of.ts';
import { servicesFor } from './services.ts';

/** The organisation's settings, whole: read, change, put back with the ETag that was read. */
export const settings = new Hono<AppEnv>()
  .get('/', async (context) => {
    const caller = await viewOf(context, 'skills:read');
    if (!caller.ok) return refuse(context, caller.error);
    const stored = await servicesFor(context.env).organisations.settings(caller.value.principal.organisation);
    return answerJson(stored.settings ?? DEFAULT_SETTINGS, 200, { ETag: `"${stored.revision}"` });
  })
  .put('/', async (context) => {
    const caller = await viewOf(context, 'settings:write');
    if (!caller.ok) return refuse(context, caller.error);
    const { principal } = caller.value;
    const body = await readJson(context, OrgSettings, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const allowsLocal = context.env.DEPLOYMENT === 'local';
    const unusable =
      modelsProblem(body.value.models, allowsLocal) ?? mcpServersProblem(body.value.mcpServers, allowsLocal);
    if (unusable) return refuse(context, unusable);
    const expected = expectedRevision(context);
    if (!expected.ok) return refuse(context, expected.error);
    const { organisations, records } = servicesFor(context.env);
    const { organisation } = principal;
    const stored = await organisations.putSettings(
      organisation,
      body.value,
      expected.value,
      actorOf(principal),
    );
    if (!stored.ok) return refuse(context, stored.error);
    await records.readFresh(['org'], organisation);
    return answerJson(stored.value.settings, 200, { ETag: `"${stored.value.revision}"` });
  });

function modelsProblem(models: OrgSettings['models'], allowsLocal: boolean): Problem | null {
  const problem = providersProblem(models.providers, allowsLocal);
  if (problem) return problem;
  const chosen = chooseModel(models, null, [], null);
  return chosen.ok ? null : { ...chosen.error, at: 'models.default' };
}
