import { z } from 'zod';
import type { Json } from '../../core/canonical-json.ts';

/** Claude Code's events (systems.md 1g): 27 of the baseline and two of today. */
export const HOOK_EVENTS: ReadonlySet<string> = new Set(
  [
    'PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop StopFailure',
    'SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle',
    'TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove',
    'InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay',
  ].flatMap((line) => line.split(' ')),
);

const text = z.string().min(1);
const JsonValue: z.ZodType<Json> = z.json();

/** What a hook of any type can say. `timeout` is in seconds; `if` is a permission rule; `once` ends it after a success. */
const common = {
  if: z.string().optional(),
  timeout: z.number().positive().optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
};

const prompt = { prompt: text, model: z.string().optional(), ...common };

/** The five ways a hook can act (Claude Code's hook types). Unknown members of a hook are kept out, not passed on. */
export const HookAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('command'),
    command: text,
    /** With these, the command is started directly and no shell reads it. */
    args: z.array(z.string()).optional(),
    shell: z.enum(['bash', 'powershell']).optional(),
    async: z.boolean().optional(),
    asyncRewake: z.boolean().optional(),
    ...common,
  }),
  z.object({ type: z.literal('prompt'), ...prompt }),
  z.object({ type: z.literal('agent'), ...prompt }),
  z.object({
    type: z.literal('http'),
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).optional(),
    /** The only environment variables that headers may name. */
    allowedEnvVars: z.array(text).optional(),
    ...common,
  }),
  z.object({
    type: z.literal('mcp_tool'),
    server: text,
    tool: text,
    input: z.record(z.string(), JsonValue).optional(),
    ...common,
  }),
]);
export type HookAction = z.infer<typeof HookAction>;

export const HOOK_TYPES = HookAction.options.map((option) => option.shape.type.value);

const HookGroup = z.object({ matcher: z.string().optional(), hooks: z.array(HookAction).min(1) });
export type HookGroup = z.infer<typeof HookGroup>;

/** Event name -> groups of a matcher and its actions. */
export const HooksSchema = z.record(z.string(), z.array(HookGroup));
export type Hooks = z.infer<typeof HooksSchema>;
