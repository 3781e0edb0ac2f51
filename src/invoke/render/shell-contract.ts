import { z } from 'zod';
import type { SkillFile } from '../../catalog/revision.ts';
import type { Layer } from '../../catalog/layers.ts';
import type { Result } from '../../core/result.ts';
import type { Decision } from '../../policy/decide.ts';
import type { CommandOutcome } from '../../prompt/command-output.ts';
import type { FilledCommand } from '../../prompt/fill-command.ts';

/**
 * Who runs the inline shell commands of a body: nobody, the sandbox of this deployment, or the caller's own host, which
 * is given the list and sends back what came of it.
 */
export const ShellMode = z.enum(['off', 'sandbox', 'client']);
export type ShellMode = z.infer<typeof ShellMode>;

/** A command with everything filled in, and whether the organisation's rules and the skill's own let it run. */
export interface DecidedCommand extends FilledCommand {
  /** Its number in the body, from 1. */
  readonly id: string;
  readonly shell: 'bash' | 'powershell';
  readonly decision: Decision;
}

/** What the host made of the commands that it was given. */
export interface ShellOutputs {
  /** Of the invocation that the commands were listed for. */
  readonly invocation: string;
  readonly outputs: readonly (CommandOutcome & { readonly id: string })[];
}

/** What the use cases need of a shell in the isolate; `run/` implements it. */
export interface SkillShell {
  /** Runs one command over the skill's files, read-only and without a network. `storage_unavailable` where they cannot be read. */
  run(command: string, skill: ShellSkill, milliseconds: number): Promise<Result<CommandOutcome>>;
}

export interface ShellSkill {
  readonly organisation: string;
  readonly layer: Layer;
  /** Where the files are mounted; also the working directory. */
  readonly directory: string;
  readonly files: readonly SkillFile[];
}
