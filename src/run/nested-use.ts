import type { SkillActivated } from '../invoke/event.ts';
import type { PreparedSkill } from '../invoke/prepare-skill.ts';
import { hasSlash, normaliseSkillName } from '../invoke/skill-name.ts';
import { estimatedTokens } from '../listing/measure.ts';
import type { ToolCall } from '../model/message.ts';
import { toolInputText } from '../policy/tool-input.ts';
import type { Outcome } from './outcome.ts';
import type { StoredStart } from './stored-start.ts';

/** The event of a skill that a run wanted, with whatever came of it. */
export function nestedUse(
  { agent }: StoredStart,
  call: ToolCall,
  skill: PreparedSkill | null,
  outcome: Outcome,
  milliseconds: number,
): SkillActivated {
  const wanted = toolInputText(call.tool, call.input);
  return {
    kind: 'skill_activated',
    ...(skill
      ? {
          skill: skill.found.entry.name,
          layer: skill.found.layer.layer,
          revision: skill.found.entry.revision,
        }
      : { skill: firstWord(wanted), layer: null, revision: null }),
    trigger: 'nested',
    context: skill?.details.report.fields.context ?? null,
    ...resultOf(outcome, skill !== null),
    agent: agent.name,
    milliseconds,
    session: false,
    slash: hasSlash(wanted),
  };
}

function resultOf(
  outcome: Outcome,
  found: boolean,
): Pick<SkillActivated, 'outcome' | 'code' | 'run' | 'tokens'> {
  const nothing = { code: null, run: null, tokens: 0 };
  if (outcome.kind === 'pending')
    return outcome.pending.for === 'child'
      ? { ...nothing, outcome: 'activated', run: outcome.pending.child }
      : { ...nothing, outcome: 'asked' };
  if (outcome.kind !== 'tool') return { ...nothing, outcome: 'failed' };
  const { exitCode, stdout, refused } = outcome.result;
  if (exitCode === 0) return { ...nothing, outcome: 'activated', tokens: estimatedTokens(stdout) };
  if (refused) return { ...nothing, outcome: 'denied', code: 'skill_denied' };
  return { ...nothing, outcome: 'refused', code: found ? 'run_refused' : 'skill_unknown' };
}

/** Arguments may stand behind a name. */
function firstWord(wanted: string): string {
  const name = normaliseSkillName(wanted);
  const [word = ''] = name.ok ? name.value.split(/\s/u, 1) : [];
  return word;
}
