import type { Problem } from '../../core/problem.ts';
import type { SessionScene } from './session-scene.ts';
import { normaliseSkillName } from '../skill-name.ts';

/**
 * What is wrong with a name that no skill has: where the host of the session has a command of that name, it means this one,
 * and there is nothing to look for (Claude Code's error 5).
 */
export function orHostCommand(problem: Problem, named: string, session: SessionScene | null): Problem {
  if (problem.code !== 'skill_unknown') return problem;
  const name = normaliseSkillName(named);
  if (!name.ok || !session?.pins.host.commands.includes(name.value)) return problem;
  return {
    code: 'skill_not_prompt',
    errorCode: 5,
    detail: `${JSON.stringify(name.value)} is a command of the host, and not a skill`,
    hint: 'It has no instructions to load: the host runs it itself, when a person types it.',
  };
}
