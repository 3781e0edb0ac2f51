import { z } from 'zod';
import type { AuditReport } from '../audit/audit-act.ts';
import { skillUrl } from '../catalog/skill-url.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { answerFor, type AskedPorts, findAsked, type SkillQuestion } from '../invoke/decide-skill.ts';
import { commandsOf } from '../invoke/render/decide-commands.ts';
import { denialReport } from '../invoke/denial.ts';
import type { EventLog } from '../invoke/event.ts';
import { denied, type PreparedSkill } from '../invoke/prepare-skill.ts';
import { promptInput, type PromptRequest } from '../invoke/render/prompt-input.ts';
import { notRun } from '../invoke/render/render-skill.ts';
import { startRun, type RunPorts, type RunRequest } from '../invoke/runs/start-run.ts';
import { type ToolCall, type ToolResult, type ToolSpec, unmade } from '../model/message.ts';
import type { RunLimits } from '../view/settings/run-limits.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { expandPrompt } from '../prompt/expand.ts';
import { inlineMessages } from '../prompt/inline-messages.ts';
import { skillTool } from '../listing/tool-definitions.ts';
import type { Records } from '../view/ports.ts';
import type { Principal } from '../view/principal.ts';
import { withRules } from '../view/settings/layer-policy.ts';
import { narrowView } from '../view/narrow-view.ts';
import { readForInvocation } from '../view/read-skill.ts';
import { assembleView, type View } from '../view/view.ts';
import type { Approval } from './call-progress.ts';
import { nestedUse } from './nested-use.ts';
import type { Outcome } from './outcome.ts';
import { idBelow } from './related-run.ts';
import type { StoredStart } from './stored-start.ts';

const SkillInput = z.strictObject({
  skill: z.string().max(2_000),
  args: z.string().max(RUN_LIMITS.toolOutputCharacters).optional(),
});

export const SKILL_TOOL = 'Skill';

const TOO_DEEP: ToolResult = {
  stdout: '',
  stderr: 'depth_limit: no run may begin below this one\n',
  exitCode: 1,
  refused: false,
};

/** What skills inside of runs need of the world. */
export interface NestedPorts extends AskedPorts, RunPorts {
  readonly records: Pick<Records, 'read'>;
  readonly events: EventLog;
  /** Feature flags of the deployment. */
  readonly flags: readonly string[];
}

export function skillSpec(): ToolSpec {
  const { name, description, input_schema: inputSchema } = skillTool(null);
  return { name, description, inputSchema };
}

/** What a call wants, as rules for tools see it; null for input that is not the tool's. */
export function skillSubject({ input }: ToolCall): string | null {
  const parsed = SkillInput.safeParse(input).data;
  return parsed ? `${parsed.skill} ${parsed.args ?? ''}`.trim() : null;
}

interface NestedCall {
  readonly call: ToolCall;
  /** The step that makes it: what it starts is named by that, so that it is started once. */
  readonly step: number;
  readonly approval: Approval | null;
  /** What the run has left. */
  readonly left: Pick<RunLimits, 'tokens' | 'cost' | 'milliseconds'>;
}

/** What a call of a skill came to, and what an audit log is told where it was denied. */
interface NestedUse {
  readonly outcome: Outcome;
  readonly denied: AuditReport | null;
}

/**
 * Uses a skill inside of a run, under the organisation's rules of now: instructions for the run itself, or a run below it.
 * It may do no more than the run that asks. Rejects only where another attempt may succeed.
 */
export async function useNestedSkill(
  ports: NestedPorts,
  start: StoredStart,
  nested: NestedCall,
): Promise<NestedUse> {
  const begun = Date.now();
  const known: { skill: PreparedSkill | null } = { skill: null };
  const outcome = await use(ports, start, nested, (skill) => {
    known.skill = skill;
  });
  ports.events.emit(start, nestedUse(start, nested.call, known.skill, outcome, Date.now() - begun));
  return { outcome, denied: known.skill && deniedBy(start, known.skill, begun) };
}

async function use(
  ports: NestedPorts,
  start: StoredStart,
  { call, step, approval, left }: NestedCall,
  note: (skill: PreparedSkill) => void,
): Promise<Outcome> {
  const input = SkillInput.safeParse(call.input);
  if (!input.success) return refused('Skill takes {"skill": NAME, "args"?: TEXT}', 2);
  const view = await viewOf(ports, start);
  const question: SkillQuestion = { ...input.data, trigger: 'nested', session: null };
  const found = await findAsked(ports, view, question);
  if (!found.ok) {
    if (found.error.code === 'storage_unavailable') throw new Error(found.error.detail);
    return refused(found.error.detail, 127);
  }
  const details = await readForInvocation(ports.blobs, found.value);
  if (!details.ok) throw new Error(details.error.detail);
  const answer = answerFor(view, found.value, details.value, question);
  const skill: PreparedSkill = {
    kind: 'ready',
    found: found.value,
    details: details.value,
    answer,
    preflight: null,
  };
  note(skill);
  const { decision, reason } = answer.decision;
  if (decision === 'deny') return refused(reason.text);
  const { name, revision } = found.value.entry;
  const { layer } = found.value.layer;
  // Other bytes are another question.
  if (decision === 'ask' && !isFor(approval, layer, revision)) {
    const pending = { for: 'approval' as const, reason: reason.text, skill: { name, layer, revision } };
    return { kind: 'pending', pending };
  }
  const request = requestOf(start, input.data);
  if (details.value.report.fields.context === 'inline') return inline(skill, request);
  if (start.ancestors.includes(`${layer}/${name}`))
    return refused(`${name} is being used already, from here upwards: follow its instructions instead`);
  if (start.limits.depth === 0) return { kind: 'tool', result: { ...TOO_DEEP, limit: 'depth_limit' } };
  const child = idBelow(start.id, step);
  const run = await startRun(ports, principalOf(start), view, skill, {
    ...request,
    limits: { ...left, depth: start.limits.depth - 1 },
    parent: { id: start.id, child, ancestors: start.ancestors, model: start.model },
  });
  // The skills moved on since it was started: that it was, is all that counts.
  if (!run.ok && run.error.code !== 'run_conflict') {
    if (run.error.code === 'storage_unavailable') throw new Error(run.error.detail);
    return refused(run.error.detail, 1);
  }
  return { kind: 'pending', pending: { for: 'child', child } };
}

function isFor(approval: Approval | null, layer: string, revision: string): boolean {
  return approval?.skill?.layer === layer && approval.skill.revision === revision;
}

/** Whoever started the run: one that starts runs, and publishes nothing. */
function principalOf({ organisation, startedBy, boundTo, actor }: StoredStart): Principal {
  return { organisation, label: startedBy, scopes: [], layers: boundTo, trust: 'community', actor };
}

function deniedBy(start: StoredStart, skill: PreparedSkill, at: number): AuditReport | null {
  if (skill.answer.decision.decision !== 'deny') return null;
  return denialReport(principalOf(start), skill, denied(skill), at);
}

/** Instructions for the run itself, as a conversation would get them. */
function inline(skill: PreparedSkill, request: PromptRequest): Outcome {
  const { name } = skill.found.entry;
  const directory = skillUrl(name);
  const input = promptInput(skill, directory, request);
  // Its commands are for a conversation with a host, and its files stay where they are.
  const { text, substitutions } = expandPrompt(
    skill.details.body,
    input,
    commandsOf(skill, request.mode).map(notRun),
  );
  const { messages } = inlineMessages({
    name,
    body: text,
    substitutions,
    baseDirectory: `${directory}/`,
    args: request.args,
  });
  const others = skill.details.revision.files.some(({ path }) => path !== SKILL_FILE_NAME);
  const note = others ? '\n\nOther files of this skill cannot be read in here.\n' : '';
  return { kind: 'tool', result: resultOf(messages.map((message) => message.text).join('\n') + note) };
}

/** A skill inside of a run has what the run has, and nothing of its conversation. */
function requestOf(start: StoredStart, { args }: z.infer<typeof SkillInput>): RunRequest {
  return {
    args,
    mode: 'default',
    session: null,
    effort: null,
    projectDirectory: null,
    plugin: null,
    model: null,
    grants: start.tools.granted,
    clientTools: [],
    limits: {},
    actionMilliseconds: start.waitMilliseconds,
    resultSchema: null,
    files: [],
    idempotencyKey: null,
  };
}

/** What the run's caller could see and do, with the organisation's word of now. */
async function viewOf(ports: NestedPorts, start: StoredStart): Promise<View> {
  const { organisation, scope, states } = start;
  const { views } = await ports.records.read(null, scope, organisation);
  const view = states.reduce(narrowView, assembleView(organisation, views, ports.flags));
  return withRules(view, start.rules.filter(isOwn));
}

/**
 * Rules that are not read anew. Of layers, what restricts stays as well: one that has rules and no skills is no part of the
 * scope.
 */
function isOwn({ layer, effect }: PolicyRule): boolean {
  if (layer === 'call' || layer === 'session') return true;
  return (layer === 'project' || layer === 'user') && effect !== 'allow';
}

function resultOf(stdout: string): ToolResult {
  return { stdout, stderr: '', exitCode: 0, refused: false };
}

function refused(reason: string, exitCode?: number): Outcome {
  return { kind: 'tool', result: unmade(reason, exitCode) };
}
