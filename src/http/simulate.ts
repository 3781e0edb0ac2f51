import { Hono } from 'hono';
import { z } from 'zod';
import { POLICY_LIMITS, REQUEST_LIMITS } from '../core/limits.ts';
import { fail, ok } from '../core/result.ts';
import { Trigger } from '../invoke/decide-skill.ts';
import { simulate } from '../invoke/simulate.ts';
import { Expiry, PolicyRule, RuleLayer } from '../policy/rule.ts';
import { RulePattern } from '../policy/written-rule.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { ToolInput } from './decisions.ts';
import { unreadable } from './problem.ts';
import { readJson } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { inScene } from './request/session-scene.ts';
import { SkillCall } from './request/skill-call.ts';
import { viewOf } from './request/view-of.ts';

/** As a suggestion of a decision is written. */
const ProposedRule = PolicyRule.pick({ effect: true, reason: true }).extend({
  pattern: RulePattern,
  layer: RuleLayer.default('organisation'),
  expires: Expiry.optional(),
});
const RemovedRule = PolicyRule.pick({ effect: true, pattern: true }).extend({ layer: RuleLayer.optional() });

const Body = z.strictObject({
  rules: z.strictObject({
    add: z.array(ProposedRule).max(POLICY_LIMITS.layerRules).default([]),
    remove: z.array(RemovedRule).max(POLICY_LIMITS.layerRules).default([]),
  }),
  /** Where neither skills nor tools are named: all skills of the view. */
  skills: z.array(z.string().max(2_000)).max(POLICY_LIMITS.simulatedSubjects).optional(),
  tools: z.array(ToolInput).max(POLICY_LIMITS.simulatedSubjects).optional(),
  trigger: Trigger.default('model'),
  cursor: z.string().max(1_000).default(''),
  /** Beside its rules, and at its catalogs. */
  ...SkillCall.pick({ session: true, agent: true }).shape,
});

/** What would change for which skills, and tool calls, under rules that nobody has written yet. */
export const simulation = new Hono<AppEnv>().post('/simulate', async (context) => {
  const caller = await viewOf(context, 'skills:invoke');
  if (!caller.ok) return refuse(context, caller.error);
  const body = await readJson(context, Body, REQUEST_LIMITS.jsonBytes);
  if (!body.ok) return refuse(context, body.error);
  const { rules, skills, tools, trigger, cursor } = body.value;
  const subjects = {
    skills: skills ?? (tools === undefined ? null : []),
    tools: tools ?? [],
    trigger,
    after: cursor,
  };
  const { blobs } = servicesFor(context.env);
  const answer = await inScene(context, caller.value, body.value, false, async ({ view }) => {
    const simulated = await simulate(blobs, view, rules, subjects);
    return simulated ? ok(simulated) : fail(unreadable('a part of the catalog'));
  });
  return answer.ok ? answerJson(answer.value) : refuse(context, answer.error);
});
