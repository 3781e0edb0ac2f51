import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { logFault } from '../core/log.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import type { AppEnv } from './context.ts';
import { refuse, requestId } from './context.ts';
import { decisions } from './decisions.ts';
import { detect } from './detect.ts';
import { invoke } from './invoke.ts';
import { layers } from './layers.ts';
import { listing } from './listing.ts';
import { mentions } from './mentions.ts';
import { policy } from './policy.ts';
import { problemResponse } from './problem.ts';
import { push } from './push.ts';
import { quarantine } from './quarantine.ts';
import { runFiles } from './run-files.ts';
import { runs } from './runs.ts';
import { secrets } from './secrets.ts';
import { sessionHooks } from './session-hooks.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { simulation } from './simulate.ts';
import { skills } from './skills.ts';
import { usage } from './usage.ts';

/**
 * All routes. Each resource is one file; errors become HTTP in problem.ts and nowhere else. The router finds any of them by
 * one regular expression, and throws right away where two are more than it can tell apart.
 */
export const app = new Hono<AppEnv>({ router: new RegExpRouter() })
  .get('/healthz', (context) => context.json({ status: 'ok' }))
  .route('/v1/listing', listing)
  .route('/v1/skills', skills)
  .route('/v1/decisions', decisions)
  .route('/v1/decisions', simulation)
  .route('/v1/approvals', approvals)
  .route('/v1/invoke', invoke)
  .route('/v1/mentions', mentions)
  .route('/v1/detect', detect)
  .route('/v1/runs', runs)
  .route('/v1/runs', runFiles)
  .route('/v1/sessions', sessions)
  .route('/v1/sessions', sessionHooks)
  .route('/v1/settings', settings)
  .route('/v1/policy', policy)
  .route('/v1/secrets', secrets)
  .route('/v1/usage', usage)
  .route('/v1/audit', audit)
  .route('/v1/push', push)
  .route('/v1/layers', layers)
  .route('/v1/quarantine', quarantine);

app.notFound((context) =>
  refuse(context, {
    code: 'not_found',
    detail: 'there is nothing at this path',
    hint: 'The README has the table of calls.',
  }),
);

app.onError((error, context) => {
  const id = requestId(context);
  // The log gets the reason; the caller gets the request id only.
  logFault('internal_error', { requestId: id, reason: error.stack ?? error.message });
  return problemResponse(
    {
      code: 'internal',
      detail: 'this is a fault of the deployment, not of the request',
      hint: 'Try again; if it stays so, give the request id to whoever runs it.',
    },
    id,
  );
});
