import { HOOK_EVENTS } from '../format/fields/hook-schema.ts';

/** Events about one call of a tool: matchers are compared with its name, and `if` with the call. */
const OF_TOOLS: ReadonlySet<string> = new Set(
  'PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionDenied'.split(' '),
);

/** Events without anything to compare: a matcher says nothing there. */
const UNMATCHED: ReadonlySet<string> = new Set(
  (
    'UserPromptSubmit Stop TeammateIdle TaskCreated TaskCompleted WorktreeCreate WorktreeRemove CwdChanged ' +
    'DirectoryAdded MessageDisplay'
  ).split(' '),
);

/** Events after which something still waits to happen, so that a hook can stop it. */
const BLOCKING: ReadonlySet<string> = new Set(
  (
    'PreToolUse PermissionRequest UserPromptSubmit Stop SubagentStop TeammateIdle TaskCreated TaskCompleted ' +
    'ConfigChange PreCompact Elicitation ElicitationResult WorktreeCreate'
  ).split(' '),
);

export function isHookEvent(event: string): boolean {
  return HOOK_EVENTS.has(event);
}

export function isToolEvent(event: string): boolean {
  return OF_TOOLS.has(event);
}

export function hasMatcher(event: string): boolean {
  return !UNMATCHED.has(event);
}

export function canBlock(event: string): boolean {
  return BLOCKING.has(event);
}
