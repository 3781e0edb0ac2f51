import { RUN_LIMITS, SESSION_LIMITS } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import { mayHaveHooks } from '../../hook/hook-contract.ts';
import { resolveTools } from '../../policy/grants.ts';
import { patternCovers } from '../../policy/covers.ts';
import { parsePattern, patternsMeet, toolPattern } from '../../policy/pattern.ts';
import type { PolicyRule } from '../../policy/rule.ts';
import type { Agent } from './agent.ts';
import type { PreparedSkill } from '../prepare-skill.ts';
import type { ClientTool, RunHook, RunTools } from './run-contract.ts';
import { SANDBOX_TOOLS } from './sandbox-tools.ts';
import type { RunRequest } from './start-run.ts';

/** What a run can use without anybody's grant: its sandbox, and skills, which are decided on one by one. */
export const RUN_TOOLS: readonly string[] = [...SANDBOX_TOOLS, 'Skill'];

/** Tools at the start of a run. `asked` is what the skill declares; nothing: what needs no grant; null: no tool at all. */
export function runTools(
  asked: readonly string[] | null,
  agent: Agent,
  { grants }: Pick<RunRequest, 'grants'>,
): RunTools {
  const granted = grants ?? RUN_TOOLS;
  const wanted = asked?.length === 0 ? RUN_TOOLS : (asked ?? []);
  const declared = [...new Set(wanted.flatMap((pattern) => partOf(agent, pattern)))];
  const withheld = asked?.length === 0 ? [] : wanted.filter((pattern) => partOf(agent, pattern).length === 0);
  return {
    declared,
    granted: [...granted],
    missing: [...withheld, ...resolveTools(declared, granted).missing],
  };
}

/** Whether models of the run are offered other skills. */
export function usesSkills({ declared, granted }: RunTools): boolean {
  return [declared, granted].every((patterns) => resolveTools(['Skill'], patterns).missing.length === 0);
}

/** What an agent has of the tools that a pattern means: all of them, or those of its own that are among them. */
function partOf({ tools }: Agent, text: string): readonly string[] {
  if (tools === null) return [text];
  const pattern = parsePattern(text);
  if (!pattern.ok) return [];
  const own = tools.map((tool) => toolPattern(tool, tool));
  if (own.some((tool) => patternCovers(tool, pattern.value))) return [text];
  return own.flatMap((each) => (patternsMeet(each, pattern.value) ? [each.tool] : []));
}

/** Tools that the skill itself does without. */
export function disallowed(patterns: readonly string[]): PolicyRule[] {
  return patterns.map((pattern) => ({
    effect: 'deny',
    pattern,
    layer: 'call',
    reason: 'the skill disallows it',
  }));
}

/** The skill's hooks, for this run alone. */
export function runHooks(
  { found, details }: PreparedSkill,
  directory: string,
  request: Pick<RunRequest, 'plugin'>,
): RunHook[] {
  const { entry, layer } = found;
  const { hooks } = details.report.fields;
  if (hooks === null || !mayHaveHooks(layer.layer, entry.trust)) return [];
  const declared = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher = null, hooks: actions }) =>
      actions.map((action) => ({ event, matcher, action })),
    ),
  );
  return declared.slice(0, SESSION_LIMITS.hooksOfSkill).map((hook, index) => ({
    ...hook,
    hook: `hook_${index + 1}`,
    skill: entry.name,
    layer: layer.layer,
    pluginRoot: request.plugin?.root ?? null,
    skillDirectory: directory,
  }));
}

/** Tools of the host stand beside ours, and must not pass for one of them. */
export function checkTools(tools: readonly ClientTool[]): Problem | null {
  const names = new Set<string>();
  for (const { name, inputSchema } of tools) {
    if (RUN_TOOLS.includes(name) || name === 'WebFetch' || name.startsWith('mcp__'))
      return badTool(`${name} is a name of a tool that runs have`);
    if (names.has(name)) return badTool(`${name} is there twice`);
    // No provider takes another one, and a run would find that out only when it asks its model.
    if (inputSchema['type'] !== 'object')
      return badTool(`the inputSchema of ${name} has no "type": "object"`);
    names.add(name);
  }
  if (JSON.stringify(tools).length > RUN_LIMITS.clientToolsBytes)
    return badTool(`clientTools have more than ${RUN_LIMITS.clientToolsBytes} characters`);
  return null;
}

function badTool(detail: string): Problem {
  return {
    code: 'bad_request',
    detail,
    at: 'clientTools',
    hint: 'Each of clientTools[] needs a name of its own, and a JSON Schema of what it takes.',
  };
}
