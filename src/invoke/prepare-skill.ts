import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { SkillFields } from '../format/fields/skill-fields.ts';
import type { FoundSkill } from '../view/find-skill.ts';
import { readForInvocation, type SkillDetails } from '../view/read-skill.ts';
import type { View } from '../view/view.ts';
import type { ApprovalRecord, Approvals } from './approval.ts';
import { type Answer, answerFor, type AskedPorts, findAsked, type SkillQuestion } from './decide-skill.ts';
import { type Preflight, preflightSkill } from './preflight.ts';
import { orHostCommand } from './sessions/host-command.ts';
import type { Repeatable, Sessions } from './sessions/session-contract.ts';
import { sessionMoved, type SessionScene } from './sessions/session-scene.ts';

export interface InvokePorts extends AskedPorts {
  readonly sessions: Pick<Sessions, 'ask' | 'invoked'>;
  readonly approvals: Approvals;
  /** Told of the skill that a call means, as soon as it is known and whatever comes of the call. */
  readonly note: (skill: PreparedSkill) => void;
}

/** A skill that may be used now, with everything that is needed to use it. */
export interface PreparedSkill {
  readonly kind: 'ready';
  readonly found: FoundSkill;
  readonly details: SkillDetails & { readonly body: string };
  readonly answer: Answer;
  /** What its host lacks; null outside of sessions. */
  readonly preflight: Preflight | null;
}

/** A question to a person, recorded; the call is made again with the approval once it was answered. */
export interface PendingSkill {
  readonly kind: 'ask';
  readonly answer: Answer;
  readonly preflight: Preflight | null;
  readonly approval: ApprovalRecord;
}

/**
 * What a call does with its approval: nothing, where it will be made once more before it has an effect, or use it, for a
 * run that is the same however often it is made.
 */
export type ApprovalUse = { readonly kind: 'look' } | { readonly kind: 'use'; readonly run: string | null };

/** Validates, finds, reads and decides: everything before a skill has any effect. */
export async function prepareSkill(
  ports: InvokePorts,
  view: View,
  question: SkillQuestion & Repeatable,
  approvalId: string | null,
  session: SessionScene | null,
  useOf: (skill: PreparedSkill) => ApprovalUse,
): Promise<Result<PreparedSkill | PendingSkill>> {
  const found = await findAsked(ports, view, question);
  if (!found.ok) return fail(orHostCommand(found.error, question.skill, session));
  const details = await readForInvocation(ports.blobs, found.value);
  if (!details.ok) return details;
  const answer = answerFor(view, found.value, details.value, question);
  const skill = { found: found.value, details: details.value, answer };
  ports.note({ kind: 'ready', ...skill, preflight: null });
  const { decision } = answer.decision;
  if (decision === 'deny' || (decision === 'ask' && !answer.approval)) return fail(denied(skill));
  const checked = await checkHost(ports, view, session, skill, question);
  if (!checked.ok) return checked;
  const preflight = checked.value;
  const ready: PreparedSkill = { kind: 'ready', ...skill, preflight };
  if (decision === 'allow' || !answer.approval) return ok(ready);
  const { subject } = answer.approval;
  const { approvals } = ports;
  if (approvalId === null) {
    const approval = await approvals.ask(view.organisation, answer.approval);
    return ok({ kind: 'ask', answer, preflight, approval });
  }
  const { organisation } = view;
  const use = useOf(ready);
  const used =
    use.kind === 'look'
      ? await approvals.look(organisation, approvalId, subject, question.session)
      : await approvals.use(organisation, approvalId, subject, question.session, use.run);
  if (!used.ok) return used;
  if (used.value.status === 'approved') return ok(ready);
  if (used.value.status === 'denied') {
    return fail({ ...denied(skill), detail: `a person denied it (${used.value.decidedBy ?? 'unknown'})` });
  }
  return ok({ kind: 'ask', answer, preflight, approval: used.value });
}

/** What the host of the session lacks. What it has can change any time, so it is not taken from memory. */
async function checkHost(
  ports: InvokePorts,
  view: View,
  session: SessionScene | null,
  skill: Pick<PreparedSkill, 'found' | 'details'>,
  question: SkillQuestion & Repeatable,
): Promise<Result<Preflight | null>> {
  if (!session) return ok(null);
  const needsAnything = skill.details.report.fields.requires !== null;
  if (needsAnything && !session.fresh) return fail(sessionMoved());
  const { address, pins } = session;
  return preflightSkill(
    ports,
    view,
    { address, has: pins.host.has, platform: pins.host.platform },
    skill,
    question,
  );
}

/** What a caller is told of a skill that may not be used. */
export function denied({ answer, details: { report } }: Pick<PreparedSkill, 'answer' | 'details'>): Problem {
  const { reason, matchedRule, layer } = answer.decision;
  const data = { decision: 'deny', reason: reason.code, matchedRule, layer };
  if (reason.code === 'model_invocation_disabled') {
    return {
      code: 'skill_model_invocation_disabled',
      errorCode: 4,
      detail: `this skill may only be started by a person: ${whyPeopleOnly(report.fields)}`,
      hint: 'Ask the person to start it; do not follow its steps in another way.',
      data,
    };
  }
  return {
    code: 'skill_denied',
    detail: reason.text,
    hint: 'POST /v1/decisions shows the trace of this decision.',
    data,
  };
}

/** Whose word it is. What the author does not say comes from whoever published the skill, or from its layout. */
function whyPeopleOnly({ policy, disableModelInvocation }: SkillFields): string {
  if (policy?.allowImplicitInvocation === false) return 'its author allows no implicit invocation';
  return disableModelInvocation ? 'its author disables model invocation' : 'it was published as manual';
}
