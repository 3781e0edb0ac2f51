import { Hono } from 'hono';
import { pageUsage } from '../view/page-usage.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { viewOf } from './request/view-of.ts';
import { servicesFor } from './services.ts';

/** How often the organisation used the skills of this request's layers, and when last. */
export const usage = new Hono<AppEnv>().get('/', async (context) => {
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return refuse(context, caller.error);
  const { usage: counts } = servicesFor(context.env);
  const page = await pageUsage(counts, caller.value.view, context.req.query('cursor') ?? '');
  return page.ok ? answerJson(page.value) : refuse(context, page.error);
});
