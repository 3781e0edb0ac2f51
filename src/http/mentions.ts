import { Hono } from 'hono';
import { z } from 'zod';
import { MENTION_LIMITS, REQUEST_LIMITS } from '../core/limits.ts';
import { type ResolvedMention, resolveMentions } from '../invoke/resolve-mentions.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { readJson } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { skillReference } from './skill-reference.ts';
import { viewOf } from './request/view-of.ts';

const Body = z.strictObject({ text: z.string().max(MENTION_LIMITS.textCharacters) });

/** Which skills a text names. */
export const mentions = new Hono<AppEnv>().post('/', async (context) => {
  const caller = await viewOf(context, 'skills:read');
  if (!caller.ok) return refuse(context, caller.error);
  const body = await readJson(context, Body, REQUEST_LIMITS.jsonBytes);
  if (!body.ok) return refuse(context, body.error);
  const { blobs } = servicesFor(context.env);
  const answer = await resolveMentions(blobs, caller.value.view, body.value.text);
  return answerJson({ mentions: answer.mentions.map(shown), more: answer.more });
});

function shown({ start, end, syntax, name, path, args, status, skill, names }: ResolvedMention) {
  return {
    start,
    end,
    syntax,
    name,
    ...(path === null ? {} : { path }),
    ...(args === null ? {} : { args }),
    status,
    ...(skill === null ? {} : { skill: skillReference(skill) }),
    ...(names.length === 0 ? {} : { names }),
  };
}
