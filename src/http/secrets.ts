import { Hono } from 'hono';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { SecretInput, SecretName } from '../secret/secret.ts';
import { actorOf } from '../view/principal.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { readJson } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { viewOf } from './request/view-of.ts';

/** What the organisation keeps here to be sent to others. It can be written and replaced, and is never read back. */
export const secrets = new Hono<AppEnv>()
  .get('/', async (context) => {
    const caller = await viewOf(context, 'secrets:write');
    if (!caller.ok) return refuse(context, caller.error);
    const { organisation } = caller.value.principal;
    return answerJson({ secrets: await servicesFor(context.env).secrets.list(organisation) });
  })
  .put('/:name', async (context) => {
    const caller = await viewOf(context, 'secrets:write');
    if (!caller.ok) return refuse(context, caller.error);
    const name = SecretName.safeParse(context.req.param('name'));
    if (!name.success) return refuseName(context);
    const body = await readJson(context, SecretInput, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const { principal } = caller.value;
    const { secrets: store } = servicesFor(context.env);
    const stored = await store.put(principal.organisation, name.data, body.value, actorOf(principal));
    return stored.ok ? answerJson(stored.value) : refuse(context, stored.error);
  })
  .delete('/:name', async (context) => {
    const caller = await viewOf(context, 'secrets:write');
    if (!caller.ok) return refuse(context, caller.error);
    const name = SecretName.safeParse(context.req.param('name'));
    if (!name.success) return refuseName(context);
    const { principal } = caller.value;
    const { secrets: store } = servicesFor(context.env);
    const removed = await store.remove(principal.organisation, name.data, actorOf(principal));
    return removed.ok ? new Response(null, { status: 204 }) : refuse(context, removed.error);
  });

function refuseName(context: AppContext): Response {
  return refuse(context, {
    code: 'bad_request',
    detail: 'this is no name of a secret',
    hint: 'A letter, then letters, digits, _ and -, 64 at most.',
  });
}
