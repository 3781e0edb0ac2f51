import { isUntrusted } from '../../catalog/provenance.ts';
import { PROMPT_LIMITS } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { compileRules, decide } from '../../policy/decide.ts';
import { effectiveTools } from '../../policy/effective-tools.ts';
import type { PolicyRule } from '../../policy/rule.ts';
import type { ExpansionInput } from '../../prompt/expand.ts';
import type { ExpansionMode } from '../../prompt/expansion-mode.ts';
import { fillCommand } from '../../prompt/fill-command.ts';
import { fillToolRules } from '../../prompt/fill-tool-rules.ts';
import { type ShellCommand, shellCommands } from '../../prompt/shell-commands.ts';
import type { View } from '../../view/view.ts';
import type { PreparedSkill } from '../prepare-skill.ts';
import type { DecidedCommand } from './shell-contract.ts';

/** The inline shell commands of a skill. Somebody else's text has none: a prompt of an MCP server, or an untrusted skill. */
export function commandsOf(skill: PreparedSkill, mode: ExpansionMode): ShellCommand[] {
  const { kind, trust } = skill.found.entry;
  if (kind === 'mcp-prompt' || isUntrusted(trust)) return [];
  return shellCommands(skill.details.body, mode);
}

/**
 * Fills in the commands and asks of each whether it may run: by the rules of the view, and where those say nothing by the
 * tools that the skill declares and its caller grants, which were part of what was allowed with the skill.
 * `shell_command_refused` for the first that is denied, or that an argument could turn into another.
 */
export function decideCommands(
  view: View,
  skill: PreparedSkill,
  commands: readonly ShellCommand[],
  input: ExpansionInput,
  grants: readonly string[] | null,
): Result<DecidedCommand[]> {
  if (commands.length > PROMPT_LIMITS.commands) {
    const [command] = commands.slice(PROMPT_LIMITS.commands);
    return fail(refused(command?.text ?? '', `a skill may have ${PROMPT_LIMITS.commands} commands`, null));
  }
  const { fields } = skill.details.report;
  const shell = fields.shell ?? 'bash';
  const rules = compileRules([...view.rules, ...ownRules(fields.allowedTools, input, grants)]);
  const decided: DecidedCommand[] = [];
  for (const [index, { text }] of commands.entries()) {
    const filled = fillCommand(text, input, shell);
    if (!filled.ok) return fail(refused(text, filled.error, null));
    const tool = shell === 'bash' ? 'Bash' : 'PowerShell';
    const decision = decide({ kind: 'tool', tool, input: filled.value.text }, rules, null);
    const command: DecidedCommand = { id: String(index + 1), ...filled.value, shell, decision };
    if (decision.decision === 'deny') return fail(refused(command.text, decision.reason.text, command));
    decided.push(command);
  }
  return ok(decided);
}

const NO_RULES = compileRules([]);

function ownRules(
  allowedTools: readonly string[],
  input: ExpansionInput,
  grants: readonly string[] | null,
): PolicyRule[] {
  // The rules of the view stand before these, so that they need not be narrowed by them here.
  return effectiveTools(fillToolRules(allowedTools, input), grants, NO_RULES).effective.map((pattern) => ({
    effect: 'allow',
    pattern,
    layer: 'call',
    reason: 'the skill declares it',
  }));
}

/** The whole invocation ends: a prompt with a hole in it would say something that its author did not. */
export function refused(text: string, reason: string, command: DecidedCommand | null): Problem {
  return {
    code: 'shell_command_refused',
    detail: `${named(text)} was not run: ${reason}`,
    hint: 'Allow it with a rule or in allowed-tools, write it so that arguments are plain words of it, or send "shell": "off".',
    data: {
      command: shortened(text),
      id: command?.id ?? null,
      decision: command?.decision.decision ?? null,
      matchedRule: command?.decision.matchedRule ?? null,
    },
  };
}

export function failed(command: DecidedCommand, exitCode: number, errors: string): Problem {
  const said = errors.trim() === '' ? '' : `: ${shortened(errors.trim())}`;
  return {
    code: 'shell_command_failed',
    detail: `${named(command.text)} ended with exit code ${exitCode}${said}`,
    hint: 'Nothing of the skill was loaded. Repair what the command needs, or send "shell": "off".',
    data: { command: shortened(command.text), id: command.id, exitCode },
  };
}

function named(command: string): string {
  return `the command \`${shortened(command)}\``;
}

function shortened(text: string): string {
  return text.slice(0, 300).toWellFormed();
}
