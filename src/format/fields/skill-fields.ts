import { z } from 'zod';
import type { Json } from '../../core/canonical-json.ts';
import { HooksSchema } from './hook-schema.ts';
import { CodexInterface, CodexPolicy } from './read-codex.ts';
import { Installer } from './read-openclaw.ts';
import { Requires } from '../requires/requires.ts';

export const Effort = z.union([z.enum(['low', 'medium', 'high', 'xhigh', 'max']), z.int().nonnegative()]);

const JsonValue: z.ZodType<Json> = z.json();

/**
 * The fields that Skilledge understands, typed, with null for what the author did not say. The names are those that
 * `policy/safe-properties.ts` classifies; a field added here is unsafe there until it is listed.
 */
export const SkillFields = z.strictObject({
  description: z.string(),
  whenToUse: z.string().nullable(),
  shortDescription: z.string().nullable(),
  argumentHint: z.string().nullable(),
  arguments: z.array(z.string()),
  version: z.string().nullable(),
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  /** The author's own map, of any depth. */
  metadata: z.record(z.string(), JsonValue),
  allowedTools: z.array(z.string()),
  disallowedTools: z.array(z.string()),
  /** An alias or a full id as the author wrote it, `[1m]` included; null also for `inherit`. */
  model: z.string().nullable(),
  effort: Effort.nullable(),
  context: z.enum(['inline', 'fork']),
  agent: z.string().nullable(),
  background: z.boolean(),
  /** Whether its instructions stay with an agent whose conversation is compacted. */
  persist: z.boolean(),
  userInvocable: z.boolean(),
  disableModelInvocation: z.boolean(),
  /** gitignore patterns, braces expanded; the skill is active once one of them matches. */
  paths: z.array(z.string()),
  /** oh-my-pi: the same patterns as a hint, and whether the skill is always of use. */
  globs: z.array(z.string()),
  alwaysApply: z.boolean(),
  shell: z.enum(['bash', 'powershell']).nullable(),
  hooks: HooksSchema.nullable(),
  policy: CodexPolicy.nullable(),
  interface: CodexInterface.nullable(),
  requires: Requires.nullable(),
  install: z.array(Installer),
});
export type SkillFields = z.infer<typeof SkillFields>;
