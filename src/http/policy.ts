import { Hono } from 'hono';
import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { POLICY_LIMITS, REQUEST_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { LastingRule } from '../policy/written-rule.ts';
import { ruleLayerOf } from '../view/settings/layer-policy.ts';
import { actorOf, type Principal, requestedLayers } from '../view/principal.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { expectedRevision } from './request/if-match.ts';
import { readJson } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { viewOf } from './request/view-of.ts';

const Body = z.strictObject({ rules: z.array(LastingRule).max(POLICY_LIMITS.layerRules) });

/** The rules of one layer, whole: read, change, put back with the ETag that was read. Without a layer, all that count. */
export const policy = new Hono<AppEnv>()
  .get('/', async (context) => {
    const caller = await viewOf(context, 'skills:read');
    if (!caller.ok) return refuse(context, caller.error);
    const { principal, view } = caller.value;
    if (context.req.query('layer') === undefined) return answerJson({ rules: view.rules });
    const layer = layerOf(context, principal);
    if (!layer.ok) return refuse(context, layer.error);
    const stored = await servicesFor(context.env).policies.read(principal.organisation, layer.value);
    const { rules, revision } = stored;
    return answerJson({ layer: layer.value, rules }, 200, { ETag: `"${revision}"` });
  })
  .put('/', async (context) => {
    const caller = await viewOf(context, 'settings:write');
    if (!caller.ok) return refuse(context, caller.error);
    const { principal } = caller.value;
    const { organisation, layers } = principal;
    const layer = layerOf(context, principal);
    if (!layer.ok) return refuse(context, layer.error);
    // It reads the organisation's rules, which hold for it as well, and writes those of its own layers.
    if (layers !== null && !layers.includes(layer.value)) return refuse(context, notBound(layers));
    const body = await readJson(context, Body, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const expected = expectedRevision(context);
    if (!expected.ok) return refuse(context, expected.error);
    const { policies, records } = servicesFor(context.env);
    const change = {
      layer: layer.value,
      rules: body.value.rules,
      by: actorOf(principal),
      expected: expected.value,
    };
    const stored = await policies.put(organisation, change);
    if (!stored.ok) return refuse(context, stored.error);
    await records.readFresh([layer.value], organisation);
    const { rules, revision } = stored.value;
    return answerJson({ layer: layer.value, rules }, 200, { ETag: `"${revision}"` });
  });

function notBound(layers: readonly Layer[]): Problem {
  return {
    code: 'forbidden',
    detail: 'this token is bound to layers, and may write the rules of those only',
    hint: `It may name: ${layers.join(', ') || 'no layer'}.`,
  };
}

/** The layer that is asked for, where it can have rules and this token may name it. */
function layerOf(context: AppContext, principal: Principal): Result<Layer> {
  const layer = Layer.safeParse(context.req.query('layer'));
  if (!layer.success || ruleLayerOf(layer.data) === null) {
    return fail({
      code: 'bad_request',
      at: 'layer',
      detail: 'layer is none that has rules of its own',
      hint: 'Write layer=org, layer=project:web or layer=user:alice.',
    });
  }
  const named = requestedLayers(principal, layer.data);
  return named.ok ? ok(layer.data) : named;
}
