import { z } from 'zod';
import { POLICY_LIMITS, PROMPT_LIMITS, REQUEST_LIMITS, RUN_LIMITS } from '../../core/limits.ts';
import { Effort } from '../../format/fields/skill-fields.ts';
import { Trigger } from '../../invoke/decide-skill.ts';
import { ClientTool, JsonSchema } from '../../invoke/runs/run-contract.ts';
import { ShellMode } from '../../invoke/render/shell-contract.ts';
import { ExpansionMode } from '../../prompt/expansion-mode.ts';
import { CallRules } from './call-rules.ts';
import { WantedRunLimits } from '../../view/settings/run-limits.ts';

const InputFile = z
  .strictObject({ path: z.string(), text: z.string().optional(), base64: z.base64().optional() })
  .refine(
    (file) => (file.text === undefined) !== (file.base64 === undefined),
    'a file has either text or base64',
  );

/** The caller's label of who asks. */
export const Agent = z.string().min(1).max(REQUEST_LIMITS.agentCharacters).default('main');
/** As the host names it. An empty one would make paths in it begin at the root. */
export const Folder = z.string().min(1).max(1_000);

/** The body of `POST /v1/invoke` and `POST /v1/runs`. What only concerns runs is ignored for an inline skill. */
export const SkillCall = z.strictObject({
  skill: z.string().max(2_000),
  args: z.string().max(REQUEST_LIMITS.argumentCharacters).optional(),
  /** A person's word allows what no other does. */
  trigger: Trigger.default('model'),
  revision: z.string().max(100).optional(),
  session: z.string().min(1).max(REQUEST_LIMITS.sessionCharacters).optional(),
  /** Of the call of the host's tool that asks; it comes back with every message. */
  toolUseId: z.string().min(1).max(REQUEST_LIMITS.toolUseIdCharacters).optional(),
  agent: Agent,
  approvalId: z.string().max(100).optional(),
  baseDirectory: Folder.optional(),
  /** `${CLAUDE_PROJECT_DIR}` and `${CLAUDE_EFFORT}`. */
  projectDirectory: Folder.optional(),
  effort: Effort.optional(),
  /** By whose rules the body is filled in. */
  mode: ExpansionMode.default('default'),
  /** Who runs the inline shell commands of an inline skill; a run has none. As its session says, where a call does not. */
  shell: ShellMode.optional(),
  /** For a skill of a plugin: `${CLAUDE_PLUGIN_ROOT}`, `${CLAUDE_PLUGIN_DATA}` and `${user_config.NAME}`. */
  plugin: z
    .strictObject({
      root: Folder.optional(),
      data: Folder.optional(),
      config: z
        .record(z.string().max(200), z.union([z.string().max(10_000), z.number(), z.boolean()]))
        .optional(),
    })
    .optional(),
  /** Of a run: what the organisation calls the model, or `provider/model`. Absent or `inherit`: as skill and settings say. */
  model: z.string().min(1).max(200).optional(),
  grants: z.array(z.string().min(1).max(POLICY_LIMITS.ruleCharacters)).max(RUN_LIMITS.grants).optional(),
  /** Rules for this call: deny and ask from anybody, allow from approvers only. */
  rules: CallRules,
  files: z.array(InputFile).max(RUN_LIMITS.files).default([]),
  /** Whether the answer comes at once, or when the run has ended, within reason. As the skill says, where a call does not. */
  background: z.boolean().optional(),
  clientTools: z.array(ClientTool).max(RUN_LIMITS.clientTools).default([]),
  limits: WantedRunLimits.omit({ milliseconds: true })
    .extend({
      seconds: z
        .number()
        .positive()
        .max(RUN_LIMITS.wallMilliseconds / 1000)
        .optional(),
    })
    .default({}),
  /** How long the run waits for a person, or for its host. */
  actionSeconds: z
    .number()
    .positive()
    .max(RUN_LIMITS.actionMilliseconds / 1000)
    .optional(),
  resultSchema: JsonSchema.optional(),
});
export type SkillCall = z.infer<typeof SkillCall>;

const OUTPUT_CHARACTERS = 1_000_000;

/** The body of `POST /v1/invoke/{id}/shell`: the call as it was made, and what came of each command. */
export const ShellCall = SkillCall.extend({
  outputs: z
    .array(
      z.strictObject({
        id: z.string().max(10),
        exitCode: z.int(),
        stdout: z.string().max(OUTPUT_CHARACTERS).default(''),
        stderr: z.string().max(OUTPUT_CHARACTERS).default(''),
      }),
    )
    .max(PROMPT_LIMITS.commands),
});

/** Limits as runs know them. */
export function limitsOf({ limits: { seconds, ...limits } }: Pick<SkillCall, 'limits'>): WantedRunLimits {
  return seconds === undefined ? limits : { ...limits, milliseconds: Math.ceil(seconds * 1000) };
}

export function fileContent(file: z.infer<typeof InputFile>): Uint8Array {
  if (file.text !== undefined) return new TextEncoder().encode(file.text);
  return Uint8Array.from(atob(file.base64 ?? ''), (character) => character.charCodeAt(0));
}
