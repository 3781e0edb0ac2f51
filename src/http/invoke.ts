import { Hono } from 'hono';
import { skillUrl } from '../catalog/skill-url.ts';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import {
  type InlineInvocation,
  type InvokeRequest,
  invokeSkill,
  type ShellInvocation,
} from '../invoke/invoke-skill.ts';
import type { PendingSkill, PreparedSkill } from '../invoke/prepare-skill.ts';
import type { SessionScene } from '../invoke/sessions/session-scene.ts';
import { withRules } from '../view/settings/layer-policy.ts';
import { activate } from './activate.ts';
import { callRules } from './request/call-rules.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { shown } from './decisions.ts';
import { idempotencyKey } from './request/idempotency-key.ts';
import { readJson } from './request/read-body.ts';
import { fileContent, limitsOf, ShellCall, SkillCall } from './request/skill-call.ts';
import { inScene } from './request/session-scene.ts';
import { skillReference } from './skill-reference.ts';
import { type Caller, viewOf } from './request/view-of.ts';
import { waitForRun } from './wait-for-run.ts';

export const invoke = new Hono<AppEnv>()
  .post('/', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, SkillCall, REQUEST_LIMITS.runBytes);
    if (!body.ok) return refuse(context, body.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    return answer(context, caller.value, body.value, invokeRequest(body.value, key.value));
  })
  .post('/:id/shell', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, ShellCall, REQUEST_LIMITS.runBytes);
    if (!body.ok) return refuse(context, body.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    const outputs = { invocation: context.req.param('id'), outputs: body.value.outputs };
    const request: InvokeRequest = { ...invokeRequest(body.value, key.value), shell: 'client', outputs };
    return answer(context, caller.value, body.value, request);
  });

async function answer(
  context: AppContext,
  caller: Caller,
  call: SkillCall,
  request: InvokeRequest,
): Promise<Response> {
  const { principal } = caller;
  const rules = callRules(principal, call.rules);
  if (!rules.ok) return refuse(context, rules.error);
  const invoked = await activate(context, caller, call, (ports) =>
    inScene(context, caller, call, call.approvalId === undefined, ({ view, session }) =>
      invokeSkill(ports, principal, withRules(view, rules.value), requestIn(session, call, request), session),
    ),
  );
  if (!invoked.ok) return refuse(context, invoked.error);
  switch (invoked.value.kind) {
    case 'inline':
      return answerJson(inlineAnswer(invoked.value, call.toolUseId));
    case 'shell':
      return answerJson(shellAnswer(invoked.value));
    case 'ask':
      return answerJson(askAnswer(invoked.value));
    case 'forked': {
      const { run: begun, background } = invoked.value;
      const run = await waitForRun(context, principal, begun, call.background ?? background);
      if (!run.ok) return refuse(context, run.error);
      return answerJson({ status: 'forked', run: run.value }, 202, { Location: `/v1/runs/${run.value.id}` });
    }
  }
}

export function invokeRequest(call: SkillCall, idempotencyKey: string | null): InvokeRequest {
  return {
    skill: call.skill,
    args: call.args,
    trigger: call.trigger,
    agent: call.agent,
    revision: call.revision,
    session: call.session ?? null,
    approvalId: call.approvalId ?? null,
    baseDirectory: call.baseDirectory ?? null,
    projectDirectory: call.projectDirectory ?? null,
    effort: call.effort ?? null,
    mode: call.mode,
    shell: call.shell ?? 'off',
    outputs: null,
    plugin: call.plugin ?? null,
    model: call.model ?? null,
    grants: call.grants ?? null,
    clientTools: call.clientTools,
    limits: limitsOf(call),
    actionMilliseconds: call.actionSeconds === undefined ? null : Math.ceil(call.actionSeconds * 1000),
    resultSchema: call.resultSchema ?? null,
    files: call.files.map((file) => ({ path: file.path, content: fileContent(file) })),
    idempotencyKey,
  };
}

/** What a call does not say of its host, its session does. */
export function requestIn(
  session: SessionScene | null,
  call: SkillCall,
  request: InvokeRequest,
): InvokeRequest {
  if (!session) return request;
  const { projectDirectory, shell } = session.pins.host;
  return {
    ...request,
    projectDirectory: request.projectDirectory ?? projectDirectory,
    shell: shell && call.shell === undefined ? 'client' : request.shell,
  };
}

export function askAnswer(pending: PendingSkill) {
  const { answer, approval } = pending;
  const { id, upgrade } = approval;
  return { ...shown({ ...answer, upgrade }), status: 'ask', approvalId: id, ...preflightOf(pending) };
}

/** What the host of a session lacks for the skill. */
export function preflightOf({ preflight }: Pick<PreparedSkill, 'preflight'>) {
  if (preflight === null) return {};
  const { missing, betterWith, otherPlatforms, question } = preflight;
  return { preflight: { missing, betterWith, otherPlatforms, question } };
}

function inlineAnswer(invocation: InlineInvocation, toolUseId: string | undefined) {
  const { found, details, answer } = invocation.skill;
  const belonging = toolUseId === undefined ? {} : { toolUseId };
  // The whole trace is for POST /v1/decisions: here it would only be said that nothing stood in the way.
  const { decision, reason, matchedRule, layer } = answer.decision;
  const others = details.revision.files.filter(({ path }) => path !== SKILL_FILE_NAME);
  return {
    status: 'inline',
    skill: skillReference(found),
    trust: found.entry.trust,
    messages: invocation.messages.map((message) => ({ ...message, ...belonging })),
    // Read when the skill asks for them, and not before.
    attachments: others.map(({ path, size }) => ({
      path,
      size,
      url: skillUrl(found.entry.name, path),
      ...belonging,
    })),
    contextModifier: invocation.contextModifier,
    tools: invocation.tools,
    requires: invocation.requires,
    substitutions: invocation.substitutions,
    complete: invocation.complete,
    alreadyLoaded: invocation.alreadyLoaded,
    ...preflightOf(invocation.skill),
    decision: { decision, reason, matchedRule, layer },
  };
}

function shellAnswer({ skill, request }: ShellInvocation) {
  return {
    status: 'shell',
    id: request.id,
    skill: skillReference(skill.found),
    commands: request.commands.map(({ id, text, shell, decision }) => ({
      id,
      text,
      shell,
      decision: shown({ decision, approval: null }),
    })),
    decision: shown(skill.answer),
    ...preflightOf(skill),
  };
}
