import { spaceOf } from '../catalog/layers.ts';
import { PROMPT_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { CommandOutcome } from '../prompt/command-output.ts';
import type { ShellSkill, SkillShell } from '../invoke/render/shell-contract.ts';
import type { BlobStore } from '../view/ports.ts';
import { shellFs } from './shell-fs.ts';
import { loadShell } from './shell.ts';
import { SkillFs } from './skill-fs.ts';

/** The shell for inline commands: each runs alone over the skill's files, and nothing that it writes is kept. */
export function skillShell(blobs: Pick<BlobStore, 'readMany'>): SkillShell {
  return { run: (command, skill, milliseconds) => run(blobs, command, skill, milliseconds) };
}

async function run(
  blobs: Pick<BlobStore, 'readMany'>,
  command: string,
  { organisation, layer, directory, files }: ShellSkill,
  milliseconds: number,
): Promise<Result<CommandOutcome>> {
  const shell = await loadShell();
  const skillFs = new SkillFs(directory, files, blobs, spaceOf(layer, organisation));
  const bash = new shell.Bash({
    fs: shellFs(shell, { [directory]: skillFs }, []),
    cwd: directory,
    env: { HOME: '/tmp', SKILL_DIR: directory, CLAUDE_SKILL_DIR: directory },
    executionLimitProfile: 'hardened',
    executionLimits: {
      maxExecutionTimeMs: milliseconds,
      maxStringLength: PROMPT_LIMITS.insertedCharacters,
    },
  });
  const outcome = await outcomeOf(bash.exec(command, { rawScript: true }));
  // Lost reads look like missing files to a command.
  if (skillFs.failure === null) return ok(outcome);
  return fail({
    code: 'storage_unavailable',
    detail: 'a file of this skill cannot be read now',
    hint: 'Try again in a few seconds; if it stays so, push the layer again.',
  });
}

/** An error inside the shell, such as a limit, is the command's failure. */
async function outcomeOf(execution: Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    const { stdout, stderr, exitCode } = await execution;
    return { stdout, stderr, exitCode };
  } catch (error) {
    return {
      stdout: '',
      stderr: `bash: ${error instanceof Error ? error.message : String(error)}`,
      exitCode: 1,
    };
  }
}
