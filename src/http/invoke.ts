import { Hono } from 'hono';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { type InlineInvocation, type InvokeRequest, invokeSkill } from '../invoke/invoke-skill.ts';
import type { PendingSkill } from '../invoke/prepare-skill.ts';
import { viewForAgent } from '../view/narrow-view.ts';
import { activate } from './activate.ts';
import { answerJson, type AppContext, type AppEnv, refuse } from './context.ts';
import { shown } from './decisions.ts';
import { readJson } from './read-body.ts';
import { fileContent, SkillCall } from './skill-call.ts';
import { viewOf } from './view-of.ts';
import { waitForRun } from './wait-for-run.ts';

export const invoke = new Hono<AppEnv>().post('/', async (context) => {
  const caller = await viewOf(context, 'skills:invoke');
  if (!caller.ok) return refuse(context, caller.error);
  const body = await readJson(context, SkillCall, REQUEST_LIMITS.runBytes);
  if (!body.ok) return refuse(context, body.error);
  const { principal, view } = caller.value;
  const seen = viewForAgent(view, body.value.agent);
  const request = invokeRequest(context, body.value);
  const invoked = await activate(context, seen, body.value, (ports) =>
    invokeSkill(ports, principal, seen, request),
  );
  if (!invoked.ok) return refuse(context, invoked.error);
  switch (invoked.value.kind) {
    case 'inline':
      return answerJson(inlineAnswer(invoked.value));
    case 'ask':
      return answerJson(askAnswer(invoked.value));
    case 'forked': {
      const run = await waitForRun(context, principal, invoked.value.run);
      if (!run.ok) return refuse(context, run.error);
      return answerJson({ status: 'forked', run: run.value }, 202, { Location: `/v1/runs/${run.value.id}` });
    }
  }
});

export function invokeRequest(context: AppContext, call: SkillCall): InvokeRequest {
  return {
    skill: call.skill,
    args: call.args,
    trigger: call.trigger,
    revision: call.revision,
    session: call.session ?? null,
    approvalId: call.approvalId ?? null,
    baseDirectory: call.baseDirectory ?? null,
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
  const { found, details, answer } = invocation.skill;
  return {
    status: 'inline',
    skill: { name: found.entry.name, layer: found.layer.layer, revision: found.entry.revision },
    messages: invocation.messages,
    contextModifier: invocation.contextModifier,
    substitutions: invocation.substitutions,
    files: details.revision.files.map(({ path, size }) => ({ path, size })),
    decision: shown(answer),
  };
}
