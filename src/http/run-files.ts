import { Hono } from 'hono';
import { SKILL_LIMITS, RUN_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { entityTag } from '../view/read-skill.ts';
import { answerJson, type AppContext, type AppEnv, isNotModified, notModified, refuse } from './context.ts';
import { fileHeaders } from './file-headers.ts';
import { addressed } from './runs.ts';
import { servicesFor } from './services.ts';

/** What a run has in its workspace, while it works and for as long as it is kept. */
export const runFiles = new Hono<AppEnv>()
  .get('/:id/files', async (context) => {
    const page = readPage(context);
    if (!page.ok) return refuse(context, page.error);
    const caller = await addressed(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const { cursor, limit } = page.value;
    const found = await servicesFor(context.env).runs.files(caller.value.address, cursor, limit);
    return found.ok ? answerJson(found.value) : refuse(context, found.error);
  })
  .get('/:id/files/*', async (context) => {
    const caller = await addressed(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const path = filePath(context);
    const file = await servicesFor(context.env).runs.file(caller.value.address, path);
    if (!file.ok) return refuse(context, file.error);
    const { digest, text, body } = file.value;
    const tag = entityTag(digest);
    if (!isNotModified(context, tag)) return new Response(body, { headers: fileHeaders(path, text, tag) });
    await body.cancel();
    return notModified(tag);
  });

/** What stands after `/files/`, percent-decoded once; it is only ever compared with the paths of the run. */
function filePath(context: AppContext): string {
  const raw = new URL(context.req.url).pathname
    .split('/')
    .slice('/v1/runs/ID/files/'.split('/').length - 1)
    .join('/');
  try {
    return decodeURIComponent(raw);
  } catch {
    return '';
  }
}

function readPage(context: AppContext): Result<{ cursor: string; limit: number }> {
  const cursor = context.req.query('cursor') ?? '';
  const limit = Number(context.req.query('limit') ?? RUN_LIMITS.pageFiles);
  if (!Number.isInteger(limit) || limit < 1 || limit > RUN_LIMITS.pageFiles) {
    return fail({
      code: 'bad_request',
      at: 'limit',
      detail: `limit is not a whole number from 1 to ${RUN_LIMITS.pageFiles}`,
      hint: `Leave it out for ${RUN_LIMITS.pageFiles}.`,
    });
  }
  if (cursor.length <= SKILL_LIMITS.pathBytes) return ok({ cursor, limit });
  return fail({
    code: 'bad_request',
    at: 'cursor',
    detail: 'cursor is not one that a page gave',
    hint: 'Begin without a cursor.',
  });
}
