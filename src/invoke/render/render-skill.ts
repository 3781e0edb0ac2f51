import { canonicalJson } from '../../core/canonical-json.ts';
import { digestOf, hexOf } from '../../core/digest.ts';
import { PROMPT_LIMITS } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { type CommandOutcome, hasSucceeded, outputText } from '../../prompt/command-output.ts';
import { type Expansion, type ExpansionInput, expandPrompt, type Insertion } from '../../prompt/expand.ts';
import { NOT_RUN, type ShellCommand } from '../../prompt/shell-commands.ts';
import type { View } from '../../view/view.ts';
import { commandsOf, decideCommands, failed, refused } from './decide-commands.ts';
import type { PreparedSkill } from '../prepare-skill.ts';
import { promptInput, type PromptRequest } from './prompt-input.ts';
import { sandboxDirectory } from './sandbox-directory.ts';
import type { DecidedCommand, ShellMode, ShellOutputs, SkillShell } from './shell-contract.ts';

export interface RenderRequest extends PromptRequest {
  readonly shell: ShellMode;
  /** Tool patterns that the caller lends; null where it sets no bound of its own. */
  readonly grants: readonly string[] | null;
  /** With `shell: "client"`: null in the first call. */
  readonly outputs: ShellOutputs | null;
}

/** A body with everything filled in, or the commands that the host has to run first. */
export type Rendering =
  | {
      readonly kind: 'prompt';
      readonly expansion: Expansion;
      /** `shell`: the body has commands, and they were not run. */
      readonly requires: readonly 'shell'[];
    }
  | { readonly kind: 'shell'; readonly id: string; readonly commands: readonly DecidedCommand[] };

/** Fills in the body of a skill with `input`, as the host has it. */
export async function renderSkill(
  shell: SkillShell,
  view: View,
  skill: PreparedSkill,
  input: ExpansionInput,
  request: RenderRequest,
): Promise<Result<Rendering>> {
  const commands = commandsOf(skill, request.mode);
  const prompt = (insertions: readonly Insertion[], requires: readonly 'shell'[] = []): Result<Rendering> =>
    ok({ kind: 'prompt', expansion: expandPrompt(skill.details.body, input, insertions), requires });
  if (commands.length === 0) return request.outputs === null ? prompt([]) : fail(invocationChanged());
  if (request.shell === 'off') return prompt(commands.map(notRun), ['shell']);

  const inSandbox = request.shell === 'sandbox';
  const shellInput = inSandbox ? promptInput(skill, sandboxDirectory(skill), request) : input;
  const decided = decideCommands(view, skill, commands, shellInput, request.grants);
  if (!decided.ok) return decided;
  const id = invocationId(view, skill, decided.value, request);
  if (!inSandbox && request.outputs === null) return ok({ kind: 'shell', id, commands: decided.value });
  const outcomes =
    request.outputs === null
      ? await runAll(shell, view, skill, decided.value)
      : taken(id, decided.value, request.outputs);
  return outcomes.ok ? prompt(inserted(commands, decided.value, outcomes.value)) : outcomes;
}

/** Our own words in the place of a command. */
export function notRun({ start, end }: ShellCommand): Insertion {
  return { start, end, text: NOT_RUN, source: 'marker', usesArguments: false };
}

function inserted(
  commands: readonly ShellCommand[],
  decided: readonly DecidedCommand[],
  outcomes: readonly CommandOutcome[],
): Insertion[] {
  return commands.flatMap(({ start, end }, index): Insertion[] => {
    const outcome = outcomes[index];
    if (outcome === undefined) return [];
    const usesArguments = decided[index]?.usesArguments === true;
    return [{ start, end, text: outputText(outcome), source: 'command', usesArguments }];
  });
}

/** One after the other, up to the first that may not run or fails. */
async function runAll(
  shell: SkillShell,
  view: View,
  skill: PreparedSkill,
  commands: readonly DecidedCommand[],
): Promise<Result<CommandOutcome[]>> {
  const asked = commands.find((command) => command.decision.decision !== 'allow');
  if (asked) return fail(refused(asked.text, asked.decision.reason.text, asked));
  const foreign = commands.find((command) => command.shell !== 'bash');
  if (foreign) return fail(refused(foreign.text, 'the sandbox has bash only', foreign));
  const place = {
    organisation: view.organisation,
    layer: skill.found.layer.layer,
    directory: sandboxDirectory(skill),
    files: skill.details.revision.files,
  };
  const end = Date.now() + PROMPT_LIMITS.shellMilliseconds;
  const outcomes: CommandOutcome[] = [];
  for (const command of commands) {
    const outcome = await shell.run(command.text, place, Math.max(1, end - Date.now()));
    if (!outcome.ok) return outcome;
    const problem = problemOf(command, outcome.value);
    if (problem) return fail(problem);
    outcomes.push(outcome.value);
  }
  return ok(outcomes);
}

/**
 * The host's outputs in the order of the commands. The call carries no state: commands are found, filled in and decided
 * anew, and the id proves that they are those that the host was given.
 */
function taken(
  id: string,
  commands: readonly DecidedCommand[],
  { invocation, outputs }: ShellOutputs,
): Result<CommandOutcome[]> {
  if (invocation !== id) return fail(invocationChanged());
  const byId = new Map(outputs.map((output) => [output.id, output]));
  const outcomes: CommandOutcome[] = [];
  for (const command of commands) {
    const outcome = byId.get(command.id);
    const problem = outcome === undefined ? incomplete(command) : problemOf(command, outcome);
    if (problem) return fail(problem);
    if (outcome) outcomes.push(outcome);
  }
  return ok(outcomes);
}

function problemOf(command: DecidedCommand, outcome: CommandOutcome): Problem | null {
  return hasSucceeded(command.text, outcome) ? null : failed(command, outcome.exitCode, outcome.stderr);
}

/** What the outputs belong to: this revision of this skill, these arguments, and exactly these commands. */
function invocationId(
  view: View,
  skill: PreparedSkill,
  commands: readonly DecidedCommand[],
  request: RenderRequest,
): string {
  const { entry, layer } = skill.found;
  const digest = digestOf(
    canonicalJson({
      organisation: view.organisation,
      skill: [layer.layer, entry.name, entry.revision],
      mode: request.mode,
      args: request.args ?? null,
      session: request.session,
      commands: commands.map(({ text, shell }) => [shell, text]),
    }),
  );
  return `inv_${hexOf(digest).slice(0, 32)}`;
}

export function invocationChanged(): Problem {
  return {
    code: 'invocation_changed',
    detail: 'these outputs are not those of the commands that this call has now',
    hint: 'Invoke the skill again, with the same body, and run the commands that it lists.',
  };
}

function incomplete({ id }: DecidedCommand): Problem {
  return {
    code: 'bad_request',
    detail: `there is no output of the command ${id}`,
    hint: 'Send one output for each command that was listed.',
  };
}
