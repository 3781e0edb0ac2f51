import { Hono } from 'hono';
import { z } from 'zod';
import { REQUEST_LIMITS, RUN_LIMITS } from '../core/limits.ts';
import { ok, type Result } from '../core/result.ts';
import type { RunAddress } from '../invoke/runs/run-contract.ts';
import { runSkill } from '../invoke/runs/run-skill.ts';
import { actorOf, type Principal, requireScope } from '../view/principal.ts';
import type { TokenScope } from '../view/token.ts';
import { withRules } from '../view/settings/layer-policy.ts';
import { activate } from './activate.ts';
import { callRules } from './request/call-rules.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { idempotencyKey } from './request/idempotency-key.ts';
import { askAnswer, invokeRequest, requestIn } from './invoke.ts';
import { readJson } from './request/read-body.ts';
import { streamRunEvents } from './run-stream.ts';
import { inScene } from './request/session-scene.ts';
import { SkillCall } from './request/skill-call.ts';
import { viewOf } from './request/view-of.ts';
import { waitForRun } from './wait-for-run.ts';
import { servicesFor } from './services.ts';

/** An id has a number for each run on the way to the one that waits. */
const ActionId = z.string().max(RUN_LIMITS.actionIdCharacters);

const Approval = z.strictObject({ id: ActionId, action: z.enum(['approve', 'deny']) });

const ToolOutput = z.strictObject({
  id: ActionId,
  output: z.string().max(REQUEST_LIMITS.runBytes),
  isError: z.boolean().default(false),
});

/** Forked execution by name: any skill runs apart from its caller here, whatever its `context` says. */
export const runs = new Hono<AppEnv>()
  .post('/', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const { principal } = caller.value;
    const refused = requireScope(principal, 'runs:start');
    if (refused) return refuse(context, refused);
    const body = await readJson(context, SkillCall, REQUEST_LIMITS.runBytes);
    if (!body.ok) return refuse(context, body.error);
    const rules = callRules(principal, body.value.rules);
    if (!rules.ok) return refuse(context, rules.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    const request = invokeRequest(body.value, key.value);
    const call = { ...body.value, apart: true };
    const started = await activate(context, caller.value, call, (ports) =>
      inScene(context, caller.value, call, false, ({ view: seen, session }) =>
        runSkill(ports, principal, withRules(seen, rules.value), requestIn(session, call, request), session),
      ),
    );
    if (!started.ok) return refuse(context, started.error);
    if (started.value.kind === 'ask') return answerJson(askAnswer(started.value));
    // Accepted is accepted: who asks for a run by name waits for it only on request.
    const run = await waitForRun(context, principal, started.value.run, call.background ?? true);
    if (!run.ok) return refuse(context, run.error);
    const open = run.value.endedAt === null;
    return answerJson(run.value, open ? 202 : 200, { Location: `/v1/runs/${run.value.id}` });
  })
  .get('/', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const { organisation, layers } = caller.value.principal;
    const { runList } = servicesFor(context.env);
    const cursor = context.req.query('cursor') ?? null;
    return answerJson(await runList.list(organisation, layers, cursor, pageSize(context)));
  })
  .get('/:id', async (context) => {
    const caller = await addressed(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const { principal, address } = caller.value;
    const read = await servicesFor(context.env).runs.read(address);
    const run = read.ok ? await waitForRun(context, principal, read.value, true) : read;
    return run.ok ? answerJson(run.value) : refuse(context, run.error);
  })
  .get('/:id/events', async (context) => {
    const caller = await addressed(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const { address } = caller.value;
    const { runs } = servicesFor(context.env);
    const after = positionIn(context);
    const first = await runs.events(address, after, RUN_LIMITS.eventPage, 0);
    if (!first.ok) return refuse(context, first.error);
    const wantsStream = context.req.header('Accept')?.includes('text/event-stream') === true;
    return wantsStream ? streamRunEvents(runs, address, first.value) : answerJson(first.value);
  })
  .post('/:id/cancel', async (context) => {
    const caller = await addressed(context, 'runs:start');
    if (!caller.ok) return refuse(context, caller.error);
    const { address, principal } = caller.value;
    const run = await servicesFor(context.env).runs.cancel(address, actorOf(principal));
    return run.ok ? answerJson(run.value) : refuse(context, run.error);
  })
  .post('/:id/approvals', async (context) => {
    const caller = await addressed(context, 'decisions:approve');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, Approval, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const { address, principal } = caller.value;
    const run = await servicesFor(context.env).runs.answer(address, {
      kind: 'approval',
      id: body.value.id,
      approve: body.value.action === 'approve',
      by: actorOf(principal),
    });
    return run.ok ? answerJson(run.value) : refuse(context, run.error);
  })
  .post('/:id/tool-results', async (context) => {
    const caller = await addressed(context, 'runs:start');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, ToolOutput, REQUEST_LIMITS.runBytes);
    if (!body.ok) return refuse(context, body.error);
    const answer = { kind: 'tool_call' as const, ...body.value };
    const run = await servicesFor(context.env).runs.answer(caller.value.address, answer);
    return run.ok ? answerJson(run.value) : refuse(context, run.error);
  });

/** Who asks, and for which run. */
export async function addressed(
  context: AppContext,
  scope: TokenScope,
): Promise<Result<{ principal: Principal; address: RunAddress }>> {
  const caller = await viewOf(context, scope);
  if (!caller.ok) return caller;
  const { principal } = caller.value;
  const id = context.req.param('id') ?? '';
  return ok({ principal, address: { organisation: principal.organisation, id, boundTo: principal.layers } });
}

function pageSize(context: AppContext): number {
  const said = Number(context.req.query('limit') ?? RUN_LIMITS.listedPage);
  return Number.isInteger(said) && said > 0 ? Math.min(said, RUN_LIMITS.listedPage) : RUN_LIMITS.listedPage;
}

/** Behind which event the reader goes on: a stream that broke says it in a header of its own. */
function positionIn(context: AppContext): number {
  const said = context.req.header('Last-Event-ID') ?? context.req.query('after') ?? '0';
  return /^\d{1,9}$/.test(said) ? Number(said) : 0;
}
