import { Hono } from 'hono';
import { z } from 'zod';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { ApprovalDuration } from '../invoke/approval.ts';
import { actorOf } from '../view/principal.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { readJson } from './read-body.ts';
import { viewOf } from './view-of.ts';
import { servicesFor } from './services.ts';

const Body = z.strictObject({
  action: z.enum(['approve', 'deny']),
  duration: ApprovalDuration.default('once'),
});

/** A person's answer to a question that an `ask` named. */
export const approvals = new Hono<AppEnv>().post('/:id', async (context) => {
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
  });
  return decided.ok ? answerJson(decided.value) : refuse(context, decided.error);
});
