import { Hono } from 'hono';
import { REQUEST_LIMITS } from '../core/limits.ts';
import {
  type InlineInvocation,
  type InvokeRequest,
  invokeSkill,
  type ShellInvocation,
} from '../invoke/invoke-skill.ts';
import type { PendingSkill } from '../invoke/prepare-skill.ts';
import { viewForAgent } from '../view/narrow-view.ts';
import { activate } from './activate.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { shown } from './decisions.ts';
import { readJson } from './read-body.ts';
import { fileContent, ShellCall, SkillCall } from './skill-call.ts';
import { skillReference } from './skill-reference.ts';
import { type Caller, viewOf } from './view-of.ts';
import { waitForRun } from './wait-for-run.ts';

export const invoke = new Hono<AppEnv>()
  .post('/', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, SkillCall, REQUEST_LIMITS.runBytes);
    if (!body.ok) return refuse(context, body.error);
    return answer(context, caller.value, body.value, invokeRequest(context, body.value));
  })
  .post('/:id/shell', async (context) => {
    const caller = await viewOf(context, 'skills:invoke');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, ShellCall, REQUEST_LIMITS.runBytes);
    if (!body.ok) return refuse(context, body.error);
    const outputs = { invocation: context.req.param('id'), outputs: body.value.outputs };
    const request: InvokeRequest = { ...invokeRequest(context, body.value), shell: 'client', outputs };
    return answer(context, caller.value, body.value, request);
  });

async function answer(
  context: AppContext,
  { principal, view }: Caller,
  call: SkillCall,
  request: InvokeRequest,
): Promise<Response> {
  const seen = viewForAgent(view, call.agent);
  const invoked = await activate(context, seen, call, (ports) =>
    invokeSkill(ports, principal, seen, request),
  );
  if (!invoked.ok) return refuse(context, invoked.error);
  switch (invoked.value.kind) {
    case 'inline':
      return answerJson(inlineAnswer(invoked.value));
    case 'shell':
      return answerJson(shellAnswer(invoked.value));
    case 'ask':
      return answerJson(askAnswer(invoked.value));
    case 'forked': {
      const run = await waitForRun(context, principal, invoked.value.run);
      if (!run.ok) return refuse(context, run.error);
      return answerJson({ status: 'forked', run: run.value }, 202, { Location: `/v1/runs/${run.value.id}` });
    }
  }
}

export function invokeRequest(context: AppContext, call: SkillCall): InvokeRequest {
  return {
    skill: call.skill,
    args: call.args,
    trigger: call.trigger,
    revision: call.revision,
    session: call.session ?? null,
    approvalId: call.approvalId ?? null,
    baseDirectory: call.baseDirectory ?? null,
    projectDirectory: call.projectDirectory ?? null,
    effort: call.effort ?? null,
    mode: call.mode,
    shell: call.shell,
    outputs: null,
    plugin: call.plugin ?? null,
    grants: call.grants ?? null,
    files: call.files.map((file) => ({ path: file.path, content: fileContent(file) })),
    idempotencyKey: context.req.header('Idempotency-Key') ?? null,
  };
}

export function askAnswer(pending: PendingSkill) {
  return { ...shown(pending.answer), status: 'ask', approvalId: pending.approval.id };
}

function inlineAnswer(invocation: InlineInvocation) {
  const { details, answer } = invocation.skill;
  return {
    status: 'inline',
    skill: skillReference(invocation.skill.found),
    messages: invocation.messages,
    contextModifier: invocation.contextModifier,
    requires: invocation.requires,
    substitutions: invocation.substitutions,
    complete: invocation.complete,
    files: details.revision.files.map(({ path, size }) => ({ path, size })),
    decision: shown(answer),
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
  };
}
