import { z } from 'zod';
import { SKILL_LIMITS } from '../../core/limits.ts';
import { isPlainText } from '../../core/plain-text.ts';
import { resolved } from '../../sandbox/fs-basics.ts';
import { WORKSPACE_ROOT } from '../../sandbox/workspace.ts';

/** A path as a model writes it, made absolute; relative ones are those of the workspace. */
export const FilePath = z
  .string()
  .min(1)
  .max(SKILL_LIMITS.pathBytes)
  .refine(isPlainText, 'a path has no control characters')
  .describe('Absolute, or relative to /workspace.');

/** There are no links, so `..` is what it looks like. */
export function absolute(path: string): string {
  return resolved(WORKSPACE_ROOT, path);
}
