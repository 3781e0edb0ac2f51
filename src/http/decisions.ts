import { Hono } from 'hono';
import { z } from 'zod';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { Json } from '../core/canonical-json.ts';
import { CACHE_LIMITS, REQUEST_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { logFault } from '../core/log.ts';
import { fail, ok } from '../core/result.ts';
import type { ApprovalQuestion } from '../invoke/approval.ts';
import type { PermissionUpgrade } from '../invoke/permission-upgrade.ts';
import { type Answer, decideSkill, decideTool } from '../invoke/decide-skill.ts';
import { orHostCommand } from '../invoke/sessions/host-command.ts';
import { namesRemote } from '../invoke/skill-name.ts';
import { withRules } from '../view/settings/layer-policy.ts';
import { CallRules, callRules } from './request/call-rules.ts';
import { answerJson, answerText, type AppContext, type AppEnv, refuse } from './context.ts';
import { parseBody, readText } from './request/read-body.ts';
import { inScene, isSessionId } from './request/session-scene.ts';
import { SkillCall } from './request/skill-call.ts';
import { type Caller, viewOf } from './request/view-of.ts';
import { servicesFor } from './services.ts';

export const ToolInput = z.strictObject({
  tool: z.string().min(1).max(200),
  input: z.union([z.string().max(REQUEST_LIMITS.argumentCharacters), z.record(z.string(), z.json())]),
});
const ToolCall = ToolInput.extend(SkillCall.pick({ session: true, agent: true }).shape).extend({
  rules: CallRules,
});
const SkillSubject = SkillCall.pick({
  skill: true,
  args: true,
  trigger: true,
  revision: true,
  session: true,
  agent: true,
  rules: true,
});
const Subject = z.union([SkillSubject, ToolCall]);
const Body = z.union([
  Subject,
  z.strictObject({
    subjects: z.array(Subject).min(1).max(REQUEST_LIMITS.decisionSubjects),
    rules: CallRules,
  }),
]);

/**
 * Answers by view and question, as JSON: the same question about the same view has the same answer. Not where a person has
 * to be asked, since that leaves a record, nor about a past revision, which can be revoked.
 */
const answers = new BoundedCache<string, string>(CACHE_LIMITS.decisionBytes);
/** Longer questions carry arguments of the moment. */
const LONGEST_QUESTION = 1_024;

/**
 * Questions that this isolate has recorded just now, with what was found out then: asking again needs no write. Not for
 * longer: an answer is used up or forgotten elsewhere, and the question is then to be asked anew.
 */
const asked = new BoundedCache<string, { readonly upgrade: PermissionUpgrade | null; readonly at: number }>(
  CACHE_LIMITS.records,
);

export const decisions = new Hono<AppEnv>().post('/', async (context) => {
  const caller = await viewOf(context, 'skills:invoke');
  if (!caller.ok) return refuse(context, caller.error);
  const text = await readText(context, REQUEST_LIMITS.jsonBytes);
  if (!text.ok) return refuse(context, text.error);
  const { view } = caller.value;
  const key = `${view.organisation}\n${view.fingerprint}\n${text.value}`;
  const known = text.value.length <= LONGEST_QUESTION ? answers.get(key) : undefined;
  if (known !== undefined) return answerText(known);
  const body = parseBody(text.value, Body);
  if (!body.ok) return refuse(context, body.error);
  if ('subjects' in body.value) {
    const decided = await decideSubjects(context, caller.value, body.value.subjects, body.value.rules);
    return answerJson({
      decisions: decided.map((answer) => ('code' in answer ? { status: 'error', ...answer } : shown(answer))),
    });
  }
  const answer = await decideSubject(context, caller.value, body.value);
  if ('code' in answer) return refuse(context, answer);
  const json = JSON.stringify(shown(answer));
  const lasting = answer.approval === null && !('revision' in body.value) && !changesAlone(body.value);
  if (lasting && text.value.length <= LONGEST_QUESTION)
    answers.set(key, json, (key.length + json.length) * 2);
  return answerText(json);
});

/**
 * A session, and a registry, change without the view or the question changing; and whether a call may bring rules is
 * for its own token to say.
 */
function changesAlone(subject: z.infer<typeof Subject>): boolean {
  if (subject.rules !== undefined) return true;
  const { session } = subject;
  if (session !== undefined && isSessionId(session)) return true;
  return 'skill' in subject && namesRemote(subject.skill);
}

/**
 * All at once, but for remote skills: those wait for each other, so that each finds in memory what the one before it had to
 * ask the registry for.
 */
function decideSubjects(
  context: AppContext,
  caller: Caller,
  subjects: readonly z.infer<typeof Subject>[],
  rules: z.infer<typeof CallRules> = [],
): Promise<(Answer | Problem)[]> {
  let before: Promise<unknown> = Promise.resolve();
  return Promise.all(
    subjects.map((each) => {
      const subject = { ...each, rules: [...rules, ...(each.rules ?? [])] };
      const decide = () => decideSubject(context, caller, subject);
      if (!('skill' in subject) || !namesRemote(subject.skill)) return decide();
      const answer = before.then(decide);
      before = answer;
      return answer;
    }),
  );
}

async function decideSubject(
  context: AppContext,
  caller: Caller,
  subject: z.infer<typeof Subject>,
): Promise<Answer | Problem> {
  const rules = callRules(caller.principal, subject.rules);
  if (!rules.ok) return rules.error;
  if ('tool' in subject) {
    const { tool, input } = subject;
    const answer = await inScene(context, caller, subject, false, async ({ view }) =>
      ok(decideTool(withRules(view, rules.value), tool, input)),
    );
    return answer.ok ? answer.value : answer.error;
  }
  const session = subject.session ?? null;
  const services = servicesFor(context.env);
  const decided = await inScene(context, caller, subject, false, async (scene) => {
    const has = scene.session?.pins.host.has ?? null;
    const view = withRules(scene.view, rules.value);
    const answer = await decideSkill(services, view, { ...subject, session }, has);
    return answer.ok ? answer : fail(orHostCommand(answer.error, subject.skill, scene.session));
  });
  if (!decided.ok) return decided.error;
  const { approval } = decided.value;
  if (!approval) return decided.value;
  return { ...decided.value, upgrade: await recordQuestion(context, caller, approval) };
}

/**
 * Notes the question, once for all that ask it, since it has the same id however often it is asked; and tells how it
 * differs from an earlier revision. A question that cannot be noted now is answered all the same, and noted when it is
 * asked again.
 */
async function recordQuestion(
  context: AppContext,
  { principal }: Caller,
  question: ApprovalQuestion,
): Promise<PermissionUpgrade | null> {
  const known = asked.get(question.id);
  const now = Date.now();
  if (known && now < known.at + CACHE_LIMITS.recordMilliseconds) return known.upgrade;
  try {
    const { upgrade } = await servicesFor(context.env).approvals.ask(principal.organisation, question);
    asked.set(question.id, { upgrade, at: now });
    return upgrade;
  } catch (error) {
    logFault('question_lost', { reason: String(error) });
    return null;
  }
}

/** Where a suggested rule, which is for the organisation, goes to. */
const STORE = 'PUT /v1/policy?layer=org';

export function shown(answer: Answer): { readonly [key: string]: Json } {
  const { decision, approval, upgrade, missing } = answer;
  return {
    status: decision.decision,
    decision: decision.decision,
    reason: { ...decision.reason },
    matchedRule: decision.matchedRule,
    layer: decision.layer,
    trace: decision.trace.map((step) => ({ ...step })),
    suggestions: decision.suggestions.map((suggestion) => ({ ...suggestion, store: STORE })),
    revision: decision.revision,
    ...(approval ? { approvalId: approval.id, permissions: { ...approval.permissions } } : {}),
    ...(upgrade ? { upgrade } : {}),
    ...(missing ? { missing: missing.map(({ kind, oneOf }) => ({ kind, oneOf: [...oneOf] })) } : {}),
  };
}
