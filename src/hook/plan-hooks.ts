import { HOOK_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { HookAction } from '../format/fields/hook-schema.ts';
import { compileRules, decide, type Decision } from '../policy/decide.ts';
import type { ReadPattern } from '../policy/linear-pattern.ts';
import { parsePattern } from '../policy/pattern.ts';
import { toolInputText } from '../policy/tool-input.ts';
import { isSwitchedOff, type View } from '../view/view.ts';
import { commandText } from './hook-command.ts';
import {
  type FiredHook,
  type HookAnswer,
  type HookCall,
  INTERRUPTED,
  type RegisteredHook,
} from './hook-contract.ts';
import { hasMatcher, isToolEvent } from './hook-events.ts';
import { matchesValue } from './hook-matcher.ts';

/** What an event fires, in order, and of that what is to be run here: its results are `INTERRUPTED` until they are known. */
export interface HookPlan {
  readonly fired: readonly FiredHook[];
  readonly here: readonly RegisteredHook[];
  readonly problems: HookAnswer['problems'];
}

/** By whose word hooks are run here or not: an organisation's settings and rules. */
export type HookPolicy = Pick<View, 'compiledRules'> & { readonly settings: Pick<View['settings'], 'hooks'> };

export type Runner =
  | { readonly run: 'here' }
  | { readonly run: 'host'; readonly reason: string | null }
  | { readonly run: 'off'; readonly reason: string };

const HERE: Runner = { run: 'here' };
const HOST: Runner = { run: 'host', reason: null };
const TOO_MANY: Runner = {
  run: 'host',
  reason: `one event runs ${HOOK_LIMITS.runAtOnce} hooks here, no more`,
};

/** Which hooks an event fires, and who runs each: this deployment, the host, or nobody. */
export function planHooks(
  hooks: readonly RegisteredHook[],
  call: HookCall,
  view: View,
  readPattern: ReadPattern,
): HookPlan {
  const fired: FiredHook[] = [];
  const here: RegisteredHook[] = [];
  const problems: HookAnswer['problems'] = [];
  for (const registered of hooks) {
    const { hook, skill, layer, action } = registered;
    const fires = firesFor(registered, call, readPattern);
    if (!fires.ok) problems.push({ hook, skill, ...fires.error });
    if (!fires.ok || !fires.value) continue;
    const wanted = runnerOf(registered, view);
    const runner = wanted.run === 'here' && here.length === HOOK_LIMITS.runAtOnce ? TOO_MANY : wanted;
    const facts = { hook, skill, layer, type: action.type, once: action.once ?? false };
    if (runner.run === 'here') {
      here.push(registered);
      fired.push({ ...facts, run: 'here', result: INTERRUPTED });
    } else if (runner.run === 'host') {
      const environment = environmentOf(registered);
      fired.push({ ...facts, run: 'host', reason: runner.reason, action, environment });
    } else fired.push({ ...facts, ...runner });
  }
  return { fired, here, problems };
}

/** What a hook finds in its environment. There are no values of ours that it could ask for. */
export function environmentOf({ pluginRoot, skillDirectory }: RegisteredHook): Record<string, string> {
  return {
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    ...(skillDirectory === null ? {} : { CLAUDE_SKILL_DIR: skillDirectory }),
  };
}

/** Errors: what of the hook cannot be read, and why. */
export function firesFor(
  { matcher, action }: Pick<RegisteredHook, 'matcher' | 'action'>,
  { event, toolName, toolInput, value }: Pick<HookCall, 'event' | 'toolName' | 'toolInput' | 'value'>,
  readPattern: ReadPattern,
): Result<boolean, { at: string; detail: string }> {
  if (hasMatcher(event)) {
    const matches = matchesValue(matcher, (isToolEvent(event) ? toolName : value) ?? '', readPattern);
    if (!matches.ok) return fail({ at: 'matcher', detail: matches.error });
    if (!matches.value) return ok(false);
  }
  if (action.if === undefined) return ok(true);
  if (toolName === null) return fail({ at: 'if', detail: `${event} is not about a tool` });
  const rule = parsePattern(action.if);
  if (!rule.ok) return fail({ at: 'if', detail: rule.error.detail });
  // As an ask rule would: it speaks for a command if it speaks for any part, and where nobody can tell.
  const rules = compileRules([{ effect: 'ask', pattern: action.if, layer: 'call' }]);
  const input = toolInputText(toolName, toolInput);
  const { code } = decide({ kind: 'tool', tool: toolName, input }, rules, null).reason;
  return ok(code === 'ask_rule' || code === 'input_unclear');
}

function runnerOf({ skill, layer, action }: RegisteredHook, view: View): Runner {
  const viewLayer = view.layers.find((each) => each.layer === layer);
  if (!viewLayer || isSwitchedOff(view, viewLayer, skill)) return off('the skill is switched off');
  const qualifiedName = `${layer}/${skill}`;
  const use = decide(
    { kind: 'skill', name: skill, qualifiedName, trigger: 'user' },
    view.compiledRules,
    null,
  );
  if (use.decision === 'deny') return off(use.reason.text);
  return actionRunner(action, view);
}

/** Who runs a hook of a skill that may be used. */
export function actionRunner(action: HookAction, policy: HookPolicy): Runner {
  switch (action.type) {
    case 'command':
      return commandRunner(action, policy);
    case 'http':
      return httpRunner(action, policy);
    default:
      return HOST;
  }
}

function commandRunner(action: Extract<HookAction, { type: 'command' }>, view: HookPolicy): Runner {
  const { command: setting } = view.settings.hooks;
  if (setting === 'off') return off('the organisation has switched off hooks that are commands');
  const input = commandText(action);
  const { decision, reason } = decide({ kind: 'tool', tool: 'Bash', input }, view.compiledRules, null);
  if (decision === 'deny') return off(reason.text);
  if (setting === 'host') return HOST;
  if (action.shell === 'powershell') return { run: 'host', reason: 'the sandbox has no PowerShell' };
  // Without a rule the sandbox may: all that it reaches is its own memory.
  return reason.code === 'ask_rule' ? off(`${reason.text} Nobody can be asked.`) : HERE;
}

function httpRunner(action: Extract<HookAction, { type: 'http' }>, view: HookPolicy): Runner {
  const { http: setting } = view.settings.hooks;
  if (setting === 'off') return off('the organisation has switched off hooks that call servers');
  const { decision, reason } = decideFetch(view, action.url);
  if (decision === 'deny') return off(reason.text);
  if (setting === 'host') return HOST;
  if (reason.code === 'ask_rule') return off(`${reason.text} Nobody can be asked.`);
  const secret = Object.values(action.headers ?? {}).some((value) => /\$\{?[A-Za-z_]/.test(value));
  return secret ? { run: 'host', reason: 'its headers need environment variables' } : HERE;
}

/** What the organisation's rules have against going there as well; null where nothing. */
export function fetchObjection(view: HookPolicy, url: string): string | null {
  const { decision, reason } = decideFetch(view, url);
  return decision === 'deny' || reason.code === 'ask_rule' ? reason.text : null;
}

function decideFetch({ compiledRules }: HookPolicy, url: string): Decision {
  return decide({ kind: 'tool', tool: 'WebFetch', input: url }, compiledRules, null);
}

function off(reason: string): Runner {
  return { run: 'off', reason };
}
