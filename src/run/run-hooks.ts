import type { Json } from '../core/canonical-json.ts';
import { HOOK_LIMITS } from '../core/limits.ts';
import { INTERRUPTED, type HookResult } from '../hook/hook-contract.ts';
import { canBlock } from '../hook/hook-events.ts';
import { isPattern } from '../hook/hook-matcher.ts';
import { actionRunner, firesFor, type HookPolicy } from '../hook/plan-hooks.ts';
import type { RunHook } from '../invoke/runs/run-contract.ts';
import { compileRules } from '../policy/decide.ts';
import { loadPatterns, type ReadPattern } from '../policy/linear-pattern.ts';
import { hookInput, type HookWorld, runHook } from '../sandbox/run-hook.ts';
import { fail } from '../core/result.ts';
import type { CallProgress } from './call-progress.ts';
import type { Outcome } from './outcome.ts';
import type { StoredStart } from './stored-start.ts';

type HookOutcome = Extract<Outcome, { kind: 'hook' }>;

/** Something happened in a run, or is about to. */
interface RunEvent {
  readonly event: string;
  readonly about: CallProgress | null;
  /** Hooks that were to run once, and did. */
  readonly spent: ReadonlySet<string>;
}

/** Events after which nothing waits to happen, and whose hooks still have a say: the model is told. */
const OBJECTING: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);

/** Runs the hooks that an event fires. There is no host in a run: what would be its, nobody runs, and the step says so. */
export async function fireRunHooks(
  start: StoredStart,
  { event, about, spent }: RunEvent,
  milliseconds: number,
  world: HookWorld,
): Promise<HookOutcome> {
  const policy: HookPolicy = { compiledRules: compileRules(start.rules), settings: start.settings };
  const hooks = hooksOf(start, event, spent);
  const readPattern = hooks.some(({ matcher }) => isPattern(matcher)) ? await loadPatterns() : NO_PATTERNS;
  const call = {
    agent: start.agent.name,
    event,
    toolName: about?.call.tool ?? null,
    toolInput: about?.call.input ?? {},
    value: start.agent.name,
    input: inputOf(start, about),
  };
  const end = Date.now() + Math.min(HOOK_LIMITS.milliseconds, milliseconds);
  const told = hookInput(start.id, call);
  let here = 0;
  const runs = await Promise.all(
    hooks.map(async (hook): Promise<HookOutcome['runs'][number] | null> => {
      const facts = { hook: hook.hook, once: hook.action.once ?? false };
      const fires = firesFor(hook, call, readPattern);
      if (!fires.ok) return { ...facts, result: null, reason: `${fires.error.at}: ${fires.error.detail}` };
      if (!fires.value) return null;
      const runner = actionRunner(hook.action, policy);
      if (runner.run !== 'here')
        return { ...facts, result: null, reason: runner.reason ?? hostOnly(hook.action) };
      if (here === HOOK_LIMITS.runAtOnce) return { ...facts, result: null, reason: 'too many hooks at once' };
      here += 1;
      return { ...facts, result: await runHook(hook, told, end, policy, world), reason: null };
    }),
  );
  const fired = runs.filter((run) => run !== null);
  return { kind: 'hook', event, runs: fired, block: blockOf(event, fired) };
}

/** Commands touch nothing but memory of their own; what a server did, nobody knows. */
export function areRepeatable(
  start: StoredStart,
  { event, spent }: Pick<RunEvent, 'event' | 'spent'>,
): boolean {
  return hooksOf(start, event, spent).every(({ action }) => action.type !== 'http');
}

/** Of hooks that are not begun again. A call that one of them guards is not made. */
export function interruptedHooks(
  start: StoredStart,
  { event, spent }: Pick<RunEvent, 'event' | 'spent'>,
): HookOutcome {
  const runs = hooksOf(start, event, spent).map(({ hook, action }) => {
    return { hook, once: action.once ?? false, result: INTERRUPTED, reason: null };
  });
  const block = event === 'PreToolUse' ? 'a hook was interrupted, so that nobody knows what it says' : null;
  return { kind: 'hook', event, runs, block };
}

function hooksOf({ hooks }: StoredStart, event: string, spent: ReadonlySet<string>): RunHook[] {
  return hooks.filter((hook) => hook.event === event && !spent.has(hook.hook));
}

function blockOf(event: string, runs: HookOutcome['runs']): string | null {
  if (!canBlock(event) && !OBJECTING.has(event)) return null;
  const blocking = runs.find(({ result }) => result?.outcome === 'block')?.result;
  return blocking ? reasonOf(blocking) : null;
}

function reasonOf({ reason }: HookResult): string {
  return reason?.trim() ?? 'it does not say why';
}

function inputOf({ skill, id }: StoredStart, about: CallProgress | null): Record<string, Json> {
  const result = about?.result ?? null;
  return {
    run_id: id,
    skill: skill.name,
    ...(result !== null && {
      tool_response: { stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode },
    }),
  };
}

/** A run has no host that it could hand a hook to. */
function hostOnly({ type }: RunHook['action']): string {
  return type === 'command' || type === 'http'
    ? `hooks.${type} of the organisation’s settings leaves it to the host, and a run has none`
    : `a hook of the type ${type} is the host’s, and a run has none`;
}

/** Before any pattern was met. */
const NO_PATTERNS: ReadPattern = () => fail('no pattern can be read yet');
