import { z } from 'zod';
import { REMOTE_LAYER } from '../catalog/layers.ts';
import type { Requirement } from '../catalog/requirement.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { Json } from '../core/canonical-json.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { decide, type Decision } from '../policy/decide.ts';
import { toolInputText } from '../policy/tool-input.ts';
import { unsafeProperties } from '../policy/safe-properties.ts';
import { type FindPorts, findSkill, type FoundSkill } from '../view/find-skill.ts';
import { readDetails, type SkillDetails } from '../view/read-skill.ts';
import type { HostInventory } from '../view/listing/host-inventory.ts';
import type { View } from '../view/view.ts';
import { approvalId, type ApprovalQuestion } from './approval.ts';
import { missingFor } from './preflight.ts';
import type { RemoteSkills } from './remote-skills.ts';
import { normaliseSkillName, REMOTE_PREFIX } from './skill-name.ts';
import { permissionsOf } from '../compile/skill-permissions.ts';
import type { PermissionUpgrade } from './permission-upgrade.ts';
import { suggestNames } from './suggest-names.ts';

/**
 * What made somebody want the skill: a listing that a model was shown, a person who named it, another skill, a path that was
 * touched, or a search.
 */
export const Trigger = z.enum(['model', 'user', 'nested', 'path', 'search']);
export type Trigger = z.infer<typeof Trigger>;

/** Whose wish it is for permissions: whatever is not a person's word is a model's, which may do less. */
function audienceOf(trigger: Trigger): 'model' | 'user' {
  return trigger === 'user' ? 'user' : 'model';
}

export interface SkillQuestion {
  readonly skill: string;
  readonly args?: string | undefined;
  readonly trigger: Trigger;
  readonly revision?: string | undefined;
  readonly session: string | null;
}

export interface AskedPorts extends FindPorts {
  readonly remote: RemoteSkills;
}

/** A decision, and for an ask the question that a person can answer. */
export interface Answer {
  readonly decision: Decision;
  readonly approval: ApprovalQuestion | null;
  /** What has changed since an earlier revision; not there where nobody looked. */
  readonly upgrade?: PermissionUpgrade | null;
  /** What the host of a session lacks for the skill; not there where nobody knows. */
  readonly missing?: readonly Requirement[];
}

/** The skill that a question names, as people and models write names. Where there is none, the error names the nearest. */
export async function findAsked(
  ports: AskedPorts,
  view: View,
  question: Pick<SkillQuestion, 'skill' | 'revision' | 'trigger'>,
): Promise<Result<FoundSkill>> {
  const name = normaliseSkillName(question.skill);
  if (!name.ok) return name;
  if (name.value.startsWith(REMOTE_PREFIX)) return ports.remote.find(view, name.value, question.revision);
  const found = await findSkill(ports, view, { name: name.value, revision: question.revision });
  if (found.ok || found.error.code !== 'skill_unknown') return found;
  return fail(await suggestNames(ports.blobs, view, found.error, name.value, audienceOf(question.trigger)));
}

/** May this skill be used? Reads what the catalog says of it, and nothing else. */
export async function decideSkill(
  ports: AskedPorts,
  view: View,
  question: SkillQuestion,
  has: HostInventory | null = null,
): Promise<Result<Answer>> {
  const found = await findAsked(ports, view, question);
  if (!found.ok) return found;
  const details = await readDetails(ports.blobs, found.value);
  if (!details.ok) return details;
  const answer = answerFor(view, found.value, details.value, question);
  if (has === null) return ok(answer);
  return ok({ ...answer, missing: await missingFor(ports.blobs, view, has, found.value) });
}

/** The decision about a skill whose report is at hand. */
export function answerFor(
  view: View,
  found: FoundSkill,
  details: SkillDetails,
  question: SkillQuestion,
): Answer {
  const { entry, layer } = found;
  const decision = decisionOf(view, found, details, question);
  if (decision.decision !== 'ask') return { decision, approval: null };
  const { session } = question;
  const subject = {
    skill: entry.name,
    layer: layer.layer,
    revision: entry.revision,
    reason: decision.reason.text,
  };
  const id = approvalId(view.organisation, subject, session);
  const permissions = permissionsOf(details.report.fields);
  return { decision, approval: { id, subject, session, permissions } };
}

/** Decisions of each view that this isolate remembers: the same question has the same answer. */
const known = new WeakMap<View, BoundedCache<string, Decision>>();
/** Longer arguments are of the moment. */
const REMEMBERED_ARGUMENTS = 256;

/** What the rules of a view, and the skill's own fields, say to a use of it. */
export function decisionOf(
  view: View,
  found: FoundSkill,
  details: Pick<SkillDetails, 'report'>,
  question: Pick<SkillQuestion, 'args' | 'trigger'>,
): Decision {
  if ((question.args ?? '').length > REMEMBERED_ARGUMENTS) return decideAnew(view, found, details, question);
  const decisions = known.get(view) ?? new BoundedCache<string, Decision>(CACHE_LIMITS.decisions);
  known.set(view, decisions);
  const key = keyOf(found, question);
  const decision = decisions.get(key) ?? decideAnew(view, found, details, question);
  decisions.set(key, decision);
  return decision;
}

function decideAnew(
  view: View,
  found: FoundSkill,
  details: Pick<SkillDetails, 'report'>,
  question: Pick<SkillQuestion, 'args' | 'trigger'>,
): Decision {
  const { fields } = details.report;
  const { entry, layer } = found;
  const unasked = layer.layer === REMOTE_LAYER && view.settings.remoteSkills === 'ask';
  return decide(
    {
      kind: 'skill',
      name: entry.name,
      qualifiedName: `${layer.layer}/${entry.name}`,
      trigger: audienceOf(question.trigger),
      ...(question.args === undefined ? {} : { args: question.args }),
    },
    view.compiledRules,
    {
      name: entry.name,
      layer: layer.layer,
      revision: entry.revision,
      disableModelInvocation: fields.disableModelInvocation || entry.listing === 'manual',
      userInvocable: fields.userInvocable,
      unsafeProperties: [
        ...unsafeProperties(fields, view.settings.askedProperties),
        ...(unasked ? ['an origin outside of the organisation'] : []),
      ],
    },
  );
}

function keyOf(
  { entry, layer }: FoundSkill,
  { trigger, args }: Pick<SkillQuestion, 'args' | 'trigger'>,
): string {
  const { name, revision, listing } = entry;
  return `${layer.layer}\n${name}\n${revision}\n${listing}\n${audienceOf(trigger)}\n${args === undefined ? '' : `=${args}`}`;
}

/** May this tool be called with this input, by the rules of the view alone? */
export function decideTool(view: View, tool: string, input: Json): Answer {
  const decision = decide(
    { kind: 'tool', tool, input: toolInputText(tool, input) },
    view.compiledRules,
    null,
  );
  return { decision, approval: null };
}
