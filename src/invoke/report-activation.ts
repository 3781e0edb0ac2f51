import type { ProblemCode } from '../core/problem.ts';
import type { Result } from '../core/result.ts';
import { estimatedTokens } from '../listing/measure.ts';
import type { View } from '../view/view.ts';
import type { Trigger } from './decide-skill.ts';
import type { EventLog, Outcome, SkillActivated } from './event.ts';
import type { Invocation } from './invoke-skill.ts';
import type { PreparedSkill } from './prepare-skill.ts';
import { hasSlash, normaliseSkillName } from './skill-name.ts';

/** As much of a call for a skill as its event tells. */
export interface ActivationCall {
  readonly skill: string;
  readonly trigger: Trigger;
  readonly agent: string;
  readonly session?: string | undefined;
  /** It asks for a run, whatever the skill says. */
  readonly apart?: boolean;
}

const OUTCOMES: Readonly<Record<Invocation['kind'], Outcome>> = {
  inline: 'activated',
  forked: 'activated',
  shell: 'waiting',
  ask: 'asked',
};
const DENIALS: ReadonlySet<ProblemCode> = new Set([
  'skill_denied',
  'skill_model_invocation_disabled',
  'shell_command_refused',
]);
const FAULTS: ReadonlySet<ProblemCode> = new Set([
  'skill_remote_mismatch',
  'skill_remote_unavailable',
  'storage_unavailable',
  'internal',
]);

export function isDenial(code: ProblemCode): boolean {
  return DENIALS.has(code);
}

/** Does the work that one call for a skill asks for, and tells of it in one event, whatever comes of it. */
export async function reportActivation<Value extends Invocation>(
  events: EventLog,
  view: View,
  call: ActivationCall,
  work: (note: (skill: PreparedSkill) => void) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const begun = Date.now();
  const known: { skill: PreparedSkill | null; result: Result<Value> | null } = {
    skill: null,
    result: null,
  };
  try {
    known.result = await work((skill) => {
      known.skill = skill;
    });
    return known.result;
  } finally {
    const { skill, result } = known;
    events.emit(view, {
      kind: 'skill_activated',
      ...describeSkill(call, skill),
      ...describeOutcome(result),
      trigger: call.trigger,
      context: contextOf(call, skill),
      agent: call.agent,
      milliseconds: Date.now() - begun,
      session: call.session !== undefined,
      slash: hasSlash(call.skill),
    });
  }
}

function describeSkill(
  call: ActivationCall,
  skill: PreparedSkill | null,
): Pick<SkillActivated, 'skill' | 'layer' | 'revision'> {
  if (skill) {
    const { layer, entry } = skill.found;
    return { skill: entry.name, layer: layer.layer, revision: entry.revision };
  }
  const name = normaliseSkillName(call.skill);
  const [word = ''] = name.ok ? name.value.split(/\s/u, 1) : [];
  return { skill: word, layer: null, revision: null };
}

function contextOf({ apart }: ActivationCall, skill: PreparedSkill | null): SkillActivated['context'] {
  return apart ? 'fork' : (skill?.details.report.fields.context ?? null);
}

/** Of nothing where it threw. */
function describeOutcome(
  result: Result<Invocation> | null,
): Pick<SkillActivated, 'outcome' | 'code' | 'run' | 'tokens'> {
  if (!result?.ok) {
    const code = result?.error.code ?? 'internal';
    const refusal = FAULTS.has(code) ? 'failed' : 'refused';
    return { outcome: isDenial(code) ? 'denied' : refusal, code, run: null, tokens: 0 };
  }
  const invocation = result.value;
  const messages = invocation.kind === 'inline' ? invocation.messages : [];
  const tokens = messages.reduce((sum, { text }) => sum + estimatedTokens(text), 0);
  const run = invocation.kind === 'forked' ? invocation.run.id : null;
  return { outcome: OUTCOMES[invocation.kind], code: null, run, tokens };
}
