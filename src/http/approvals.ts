import { Hono } from 'hono';
import { z } from 'zod';
import { ORG_LIMITS, REQUEST_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { ApprovalDuration, type ApprovalQuery, ApprovalStatus } from '../invoke/approval.ts';
import { actorOf } from '../view/principal.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { readJson } from './request/read-body.ts';
import { viewOf } from './request/view-of.ts';
import { servicesFor } from './services.ts';

const Body = z.strictObject({
  action: z.enum(['approve', 'deny']),
  duration: ApprovalDuration.default('once'),
});

/** Questions to people, and a person's answer to one that an `ask` named. */
export const approvals = new Hono<AppEnv>()
  .get('/', async (context) => {
    const caller = await viewOf(context, 'decisions:approve');
    if (!caller.ok) return refuse(context, caller.error);
    const { organisation, layers } = caller.value.principal;
    const asked = readQuery(context);
    if (!asked.ok) return refuse(context, asked.error);
    const limit = ORG_LIMITS.approvalsPage;
    const query = { ...asked.value, boundTo: layers, limit: limit + 1 };
    const found = await servicesFor(context.env).approvals.list(organisation, query);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const next = found.length > limit && last ? `${last.askedAt}/${last.id}` : null;
    return answerJson({ approvals: page, next });
  })
  .post('/:id', async (context) => {
    const caller = await viewOf(context, 'decisions:approve');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, Body, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const { principal } = caller.value;
    const decided = await servicesFor(context.env).approvals.decide(principal.organisation, {
      id: context.req.param('id'),
      approve: body.value.action === 'approve',
      duration: body.value.duration,
      by: actorOf(principal),
      boundTo: principal.layers,
    });
    return decided.ok ? answerJson(decided.value) : refuse(context, decided.error);
  });

function readQuery(context: AppContext): Result<Pick<ApprovalQuery, 'status' | 'after'>> {
  const status = ApprovalStatus.optional().safeParse(context.req.query('status'));
  if (!status.success) return wrong('status', 'status is none of pending, approved and denied');
  const cursor = context.req.query('cursor');
  if (cursor === undefined) return ok({ status: status.data ?? null, after: null });
  const [, askedAt = '', id = ''] = /^([0-9T:.Z-]{20,30})\/(apr_[0-9a-f]{32})$/.exec(cursor) ?? [];
  if (Number.isNaN(Date.parse(askedAt))) return wrong('cursor', 'cursor is not one that a page gave');
  return ok({ status: status.data ?? null, after: { askedAt, id } });
}

function wrong(at: string, detail: string): Result<never> {
  return fail({ code: 'bad_request', at, detail, hint: 'For instance GET /v1/approvals?status=pending.' });
}
