import { Hono } from 'hono';
import { type Space, spaceOf } from '../catalog/layers.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { AUDIT_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { AuditLog, AuditPage } from '../view/ports.ts';
import { type Principal, requireScope } from '../view/principal.ts';
import { answerText, type AppContext, type AppEnv, privateHeaders, refuse } from './context.ts';
import { servicesFor } from './services.ts';
import { recordsOf } from './request/view-of.ts';

const JSON_LINES = 'application/x-ndjson';

/** The organisation's audit log, oldest record first: page by page as JSON, or all of it as lines that can be verified. */
export const audit = new Hono<AppEnv>().get('/', async (context) => {
  const caller = await recordsOf(context, 'audit:read');
  if (!caller.ok) return refuse(context, caller.error);
  const space = readSpace(caller.value.principal, context.req.query('log'));
  if (!space.ok) return refuse(context, space.error);
  const query = readQuery(context);
  if (!query.ok) return refuse(context, query.error);
  const { lines, after, limit } = query.value;
  const log = servicesFor(context.env).audit;
  const page = await log.page(space.value, after, limit);
  if (!page) return refuse(context, wrong('cursor', 'cursor is not one that a page gave'));
  if (lines) {
    const headers = { ...privateHeaders(null, JSON_LINES), Vary: 'Authorization, Accept' };
    return new Response(exportOf(log, page), { headers });
  }
  const { start, head, end } = page;
  const next = end < head.sequence ? String(end) : null;
  const shown = JSON.stringify({ space: page.space, start, head, next });
  // Records are JSON already, and stay byte for byte what was written.
  const json = `${shown.slice(0, -1)},"records":[${page.lines.join(',')}]}`;
  return answerText(json, 200, { Vary: 'Authorization, Accept' });
});

/** Whose log. That of the shared layer is for those who may push there. */
function readSpace(principal: Principal, log: string | undefined): Result<Space> {
  if (principal.layers !== null) {
    return fail({
      code: 'forbidden',
      detail: 'this token is bound to some layers, and the log is of the whole organisation',
      hint: 'Use a token that is not bound.',
    });
  }
  if (log === undefined) return ok(spaceOf('org', principal.organisation));
  if (log !== 'bundled') return fail(wrong('log', 'log= is bundled, or left out'));
  const refused = requireScope(principal, 'bundled:push');
  return refused ? fail(refused) : ok('bundled');
}

function readQuery(context: AppContext): Result<{ lines: boolean; after: number; limit: number }> {
  const { cursor = '0', limit, format } = context.req.query();
  if (!/^\d{1,15}$/.test(cursor)) return fail(wrong('cursor', 'cursor is not one that a page gave'));
  if (format !== undefined && format !== 'json' && format !== 'jsonl')
    return fail(wrong('format', 'format is json or jsonl'));
  const accepted = (context.req.header('Accept') ?? '').includes(JSON_LINES);
  const lines = format === undefined ? accepted : format === 'jsonl';
  const after = Number(cursor);
  if (lines) {
    if (limit !== undefined) return fail(wrong('limit', 'limit is for pages: an export is whole'));
    return ok({ lines, after, limit: AUDIT_LIMITS.largestPage });
  }
  const size = Number(limit ?? AUDIT_LIMITS.page);
  if (!Number.isSafeInteger(size) || size < 1 || size > AUDIT_LIMITS.largestPage)
    return fail(wrong('limit', `limit is a number from 1 to ${AUDIT_LIMITS.largestPage}`));
  return ok({ lines, after, limit: size });
}

/** From one page on up to where the log stood then, each next page when the reader has room for it. */
function exportOf(log: AuditLog, first: AuditPage): ReadableStream<Uint8Array> {
  const { space, start, head } = first;
  const encoder = new TextEncoder();
  let page: AuditPage | null = first;
  let end = start.sequence;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`${canonicalJson({ space, start, head })}\n`));
    },
    async pull(controller) {
      page ??= await log.page(space, end, AUDIT_LIMITS.largestPage);
      // Records that were dropped meanwhile would be a hole; what was sent so far is no whole export.
      if (page?.start.sequence !== end) throw new Error('the log was cut while it was read');
      const lines = page.lines.slice(0, head.sequence - end);
      end += lines.length;
      page = null;
      if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.join('\n')}\n`));
      if (end >= head.sequence) controller.close();
    },
  });
}

function wrong(at: string, detail: string): Problem {
  return { code: 'bad_request', at, detail, hint: 'See the table of calls in the README.' };
}
