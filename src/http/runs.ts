import { Hono } from 'hono';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { runSkill } from '../invoke/run-skill.ts';
import { requireScope } from '../view/principal.ts';
import { activate } from './activate.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { askAnswer, invokeRequest, requestIn } from './invoke.ts';
import { readJson } from './read-body.ts';
import { inScene } from './session-scene.ts';
import { SkillCall } from './skill-call.ts';
import { viewOf } from './view-of.ts';
import { waitForRun } from './wait-for-run.ts';
import { servicesFor } from './services.ts';

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
    const request = invokeRequest(context, body.value);
    const call = { ...body.value, apart: true };
    const started = await activate(context, caller.value, call, (ports) =>
      inScene(context, caller.value, call, call.approvalId === undefined, ({ view: seen, session }) =>
        runSkill(ports, principal, seen, requestIn(session, call, request), session),
      ),
    );
    if (!started.ok) return refuse(context, started.error);
    if (started.value.kind === 'ask') return answerJson(askAnswer(started.value));
    const run = await waitForRun(context, principal, started.value.run);
    if (!run.ok) return refuse(context, run.error);
    const status = run.value.status === 'running' ? 202 : 200;
    return answerJson(run.value, status, { Location: `/v1/runs/${run.value.id}` });
  })
  .get('/:id', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const { principal } = caller.value;
    const { runs } = servicesFor(context.env);
    const read = await runs.read(principal.organisation, context.req.param('id'), principal.layers);
    const run = read.ok ? await waitForRun(context, principal, read.value) : read;
    return run.ok ? answerJson(run.value) : refuse(context, run.error);
  });
