import { z } from 'zod';
import { RUN_LIMITS } from '../core/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type RefusedOpening, shellFs } from '../sandbox/shell-fs.ts';
import { loadShell } from '../sandbox/shell.ts';
import { WORKSPACE_ROOT } from '../sandbox/workspace.ts';
import { defineTool, type ToolOutput } from './tool.ts';

/** The shell: no network, the run's own workspace, the skill's files read-only. */
export const bashTool = defineTool({
  name: 'Bash',
  description: 'Runs a bash script in the run’s own workspace. No network; the skill’s files are read-only.',
  input: z.strictObject({ command: z.string().min(1) }),
  commands: async () => (await loadShell()).getCommandNames(),
  subject: ({ command }) => command,
  async run({ command }, { sandbox, remainingMilliseconds }) {
    const end = Date.now() + Math.min(RUN_LIMITS.bashMilliseconds, remainingMilliseconds);
    const known: RefusedOpening[] = [];
    for (;;) {
      const { output, refused } = await runOnce(command, sandbox, known, end - Date.now());
      const [opening] = refused;
      const lost = sandbox.skillFs.failure !== null || sandbox.workspace.exceeded;
      const done = opening === undefined || known.length === RUN_LIMITS.bashReplays || Date.now() >= end;
      if (lost || done) return output;
      known.push(opening);
      sandbox.workspace.discard();
    }
  },
});

async function runOnce(
  command: string,
  sandbox: Sandbox,
  known: readonly RefusedOpening[],
  milliseconds: number,
) {
  const shell = await loadShell();
  const fs = shellFs(shell, sandbox.mounts, known);
  const { root } = sandbox.skillFs;
  const bash = new shell.Bash({
    fs,
    cwd: WORKSPACE_ROOT,
    env: { HOME: WORKSPACE_ROOT, SKILL_DIR: root, CLAUDE_SKILL_DIR: root },
    // The deadline instead of an AbortSignal: with a signal, every command costs some 24 ms in workerd.
    executionLimitProfile: 'hardened',
    executionLimits: {
      maxExecutionTimeMs: Math.max(1, milliseconds),
      maxStringLength: RUN_LIMITS.workspaceBytes / 4,
    },
  });
  const output = await outputOf(bash.exec(command, { rawScript: true }));
  return { output, refused: fs.refused };
}

/** What the shell answered. An error inside the shell is the script's failure, not the run's. */
async function outputOf(execution: Promise<ToolOutput>): Promise<ToolOutput> {
  try {
    const { stdout, stderr, exitCode } = await execution;
    return { stdout, stderr, exitCode };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { stdout: '', stderr: `bash: ${message}\n`, exitCode: 1 };
  }
}
