import { isSafePath } from '../catalog/revision.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { type Result, fail, ok } from '../core/result.ts';
import { RunStart } from '../invoke/runs/run-contract.ts';

/** Checks everything that a run later relies on. `run_refused` says what is wrong and where. */
export function checkStart(input: unknown): Result<RunStart> {
  const parsed = RunStart.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(issue?.message ?? 'not a start of a run', issue?.path.join('.'));
  }
  const { skill, files } = parsed.data;
  const mount = skill.directory.slice('/skills/'.length);
  if (!isSafePath(mount)) return refused('the skill’s directory is not below /skills', 'skill.directory');
  const paths = new Set(files.map((file) => file.path));
  if (paths.size < files.length) return refused('two files have the same path', 'files');
  for (const [index, { path, content }] of files.entries()) {
    const at = `files.${index}`;
    if (!isSafePath(path)) return refused(`not a path inside the workspace: ${JSON.stringify(path)}`, at);
    if (foldersOf(path).some((folder) => paths.has(folder)))
      return refused(`${path} lies below another file`, at);
    if (content.length > RUN_LIMITS.fileBytes)
      return refused(`${path} has more than ${RUN_LIMITS.fileBytes} bytes`, at);
  }
  const bytes = files.reduce((sum, file) => sum + file.content.length, 0);
  if (bytes > RUN_LIMITS.workspaceBytes)
    return refused(`the files have more than ${RUN_LIMITS.workspaceBytes} bytes`, 'files');
  return ok(parsed.data);
}

/** Every folder that a path lies in, the outermost first. */
export function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

function refused(detail: string, at?: string): { ok: false; error: Problem } {
  return fail({ code: 'run_refused', detail, ...(at !== undefined && at !== '' && { at }) });
}
