import { z } from 'zod';
import { spaceOf } from '../catalog/layers.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { cutText } from '../core/cut-text.ts';
import type { ToolResult } from '../model/message.ts';
import { type RefusedOpening, shellFs } from './shell-fs.ts';
import { loadShell } from './shell.ts';
import { SkillFs } from './skill-fs.ts';
import { type Tool, withoutChanges } from './tool.ts';
import { WorkspaceFs } from './workspace-fs.ts';
import { TEMPORARY_ROOT, WORKSPACE_ROOT, Workspace } from './workspace.ts';

const BashInput = z.strictObject({ command: z.string().min(1) });

/** The shell: no network, the run's own workspace, the skill's files read-only. */
export const bashTool: Tool = {
  name: 'Bash',
  async spec() {
    return {
      name: 'Bash',
      description:
        'Runs a bash script in the run’s own workspace. No network; the skill’s files are read-only.',
      inputSchema: z.toJSONSchema(BashInput),
      commands: (await loadShell()).getCommandNames(),
    };
  },
  subject(input) {
    return BashInput.safeParse(input).data?.command ?? null;
  },
  async run(command, context) {
    const end = Date.now() + Math.min(RUN_LIMITS.bashMilliseconds, context.remainingMilliseconds);
    const { skill, organisation } = context.start;
    const skillFs = new SkillFs(
      skill.directory,
      skill.files,
      context.blobs,
      spaceOf(skill.layer, organisation),
    );
    const known: RefusedOpening[] = [];
    for (;;) {
      const workspace = new Workspace(context.store);
      const { result, refused } = await runOnce(command, workspace, skillFs, known, end - Date.now());
      // Lost reads look like missing files to the commands: the step must not be kept, but tried again.
      if (skillFs.failure !== null) throw skillFs.failure;
      if (workspace.exceeded) return withoutChanges({ ...result, limit: 'workspace_limit' });
      const [opening] = refused;
      if (opening === undefined || known.length === RUN_LIMITS.bashReplays || Date.now() >= end) {
        return { result, apply: () => workspace.apply() };
      }
      known.push(opening);
    }
  },
};

async function runOnce(
  command: string,
  workspace: Workspace,
  skillFs: SkillFs,
  known: readonly RefusedOpening[],
  milliseconds: number,
) {
  const shell = await loadShell();
  const mounts = {
    [WORKSPACE_ROOT]: new WorkspaceFs(workspace, WORKSPACE_ROOT),
    [TEMPORARY_ROOT]: new WorkspaceFs(workspace, TEMPORARY_ROOT),
    [skillFs.root]: skillFs,
  };
  const fs = shellFs(shell, mounts, known);
  const bash = new shell.Bash({
    fs,
    cwd: WORKSPACE_ROOT,
    env: { HOME: WORKSPACE_ROOT, SKILL_DIR: skillFs.root, CLAUDE_SKILL_DIR: skillFs.root },
    // The deadline instead of an AbortSignal: with a signal, every command costs some 24 ms in workerd.
    executionLimitProfile: 'hardened',
    executionLimits: {
      maxExecutionTimeMs: Math.max(1, milliseconds),
      maxStringLength: RUN_LIMITS.workspaceBytes / 4,
    },
  });
  const result = await outcomeOf(bash.exec(command, { rawScript: true }));
  return { result, refused: fs.refused };
}

/** What the shell answered, cut. An error inside the shell is the script's failure, not the run's. */
async function outcomeOf(
  execution: Promise<{ stdout: string; stderr: string; exitCode: number }>,
): Promise<ToolResult> {
  try {
    const { stdout, stderr, exitCode } = await execution;
    const limit = RUN_LIMITS.toolOutputCharacters;
    const shownErrors = cutText(stderr, limit / 4);
    return {
      stdout: cutText(stdout, limit - Math.min(stderr.length, limit / 4)),
      stderr: shownErrors,
      exitCode,
      refused: false,
    };
  } catch (error) {
    return failed(`bash: ${error instanceof Error ? error.message : String(error)}`, 1);
  }
}

function failed(message: string, exitCode: number): ToolResult {
  return { stdout: '', stderr: `${cutText(message, 1000)}\n`, exitCode, refused: false };
}
