import { z } from 'zod';
import { agentSkillsReasons } from './agentskills.ts';
import { anthropicReasons } from './anthropic.ts';
import { mcpReasons } from './mcp.ts';
import { skillsCliReasons } from './skills-cli.ts';
import type { Judged } from './rules.ts';
import type { ParsedSkill } from '../parse-skill.ts';

const Verdict = z.strictObject({
  accepts: z.boolean(),
  /** Why not, for people; empty where it accepts. */
  reasons: z.array(z.string()),
});

/** Whether others would take the skill as it is. Their rules as of November 2026, computed and not asked for. */
export const Compatibility = z.strictObject({
  /** The reference validator of agentskills.io (skills-ref 0.1.0). */
  agentskills: Verdict,
  /** An upload to Anthropic's Skills API or claude.ai. */
  anthropic: Verdict,
  /** The skills extension of MCP in its TypeScript SDK (2.4.0), which drops the skill from the list otherwise. */
  mcp: Verdict,
  /** The `skills` CLI (1.7.4), installing from an index. */
  skillsCli: Verdict,
});
export type Compatibility = z.infer<typeof Compatibility>;

/**
 * A skill's folder is no part of its revision, so the rules that want the folder to have the skill's name are taken to
 * be kept: what installs a skill names the folder after it.
 */
export function compatibilityOf(
  skill: ParsedSkill,
  frontmatterText: string | null,
  files: Judged['files'],
): Compatibility {
  const judged = { skill, frontmatterText, files };
  return {
    agentskills: verdict(agentSkillsReasons(judged)),
    anthropic: verdict(anthropicReasons(judged)),
    mcp: verdict(mcpReasons(judged)),
    skillsCli: verdict(skillsCliReasons(judged)),
  };
}

function verdict(reasons: string[]): z.infer<typeof Verdict> {
  return { accepts: reasons.length === 0, reasons };
}
