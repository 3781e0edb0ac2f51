import { HOOK_LIMITS, RUN_LIMITS } from '../core/limits.ts';
import { type Fetch, fetchPublic } from '../core/public-fetch.ts';
import type { HookAction } from '../format/fields/hook-schema.ts';
import { commandText } from '../hook/hook-command.ts';
import type { HookCall, HookResult, RegisteredHook } from '../hook/hook-contract.ts';
import { blockReason, hookOutput } from '../hook/hook-output.ts';
import { environmentOf, fetchObjection, type HookPolicy } from '../hook/plan-hooks.ts';
import { cutText } from '../core/cut-text.ts';
import { loadShell } from './shell.ts';

/** What hooks that are run here can reach. */
export interface HookWorld {
  readonly fetch: Fetch;
}

export const realWorld: HookWorld = { fetch: async (url, init) => fetch(url, init) };

/** A command's way to say no. Every other code but 0 is its own trouble. */
const BLOCKS = 2;

type Told = Pick<HookCall, 'agent' | 'event' | 'toolName' | 'toolInput' | 'input'>;

/** What a hook is told, by the names that hooks are written for. */
export function hookInput(session: string, { agent, event, toolName, toolInput, input }: Told): string {
  return JSON.stringify({
    ...input,
    session_id: session,
    agent,
    hook_event_name: event,
    ...(toolName === null ? {} : { tool_name: toolName, tool_input: toolInput }),
  });
}

/**
 * Runs a hook that the plan gave to this deployment, for as long as it wants and until `end` at the most, in Unix
 * milliseconds. Whatever goes wrong is its result, and blocks nothing.
 */
export async function runHook(
  registered: RegisteredHook,
  input: string,
  end: number,
  policy: HookPolicy,
  world: HookWorld,
): Promise<HookResult> {
  const { action } = registered;
  const last = Math.min(end, Date.now() + (action.timeout ?? Infinity) * 1_000);
  try {
    if (action.type === 'http') return await callServer(action, input, last, policy, world);
    if (action.type === 'command')
      return await runCommand(commandText(action), environmentOf(registered), input, last);
    return failed(`hooks of type ${action.type} are not run here`);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function callServer(
  { url, headers = {} }: Extract<HookAction, { type: 'http' }>,
  input: string,
  end: number,
  policy: HookPolicy,
  world: HookWorld,
): Promise<HookResult> {
  const answer = await fetchPublic(world.fetch, {
    url,
    method: 'POST',
    headers,
    body: { type: 'application/json', text: input },
    milliseconds: Math.max(1, end - Date.now()),
    answerBytes: HOOK_LIMITS.answerBytes,
    objection: (target) => fetchObjection(policy, target.href),
  });
  if (!answer.ok) return failed(answer.error);
  const { status, text } = answer.value;
  if (status >= 200 && status < 300) return judged(status, text);
  return {
    ...failed(`the server answered ${status}`),
    status,
    text: cutText(text, HOOK_LIMITS.outputCharacters),
  };
}

/** In memory of its own that is gone afterwards: no network, none of the host's files, the input on stdin. */
async function runCommand(
  command: string,
  environment: Readonly<Record<string, string>>,
  stdin: string,
  end: number,
): Promise<HookResult> {
  const shell = await loadShell();
  const bash = new shell.Bash({
    fs: new shell.InMemoryFs(undefined, { maxTotalBytes: RUN_LIMITS.systemBytes }),
    env: environment,
    executionLimitProfile: 'hardened',
    executionLimits: {
      maxExecutionTimeMs: Math.max(1, end - Date.now()),
      maxStringLength: RUN_LIMITS.systemBytes,
    },
  });
  const { stdout, stderr, exitCode } = await bash.exec(command, {
    stdin,
    stdinKind: 'text',
    rawScript: true,
  });
  if (exitCode === 0) return judged(0, stdout);
  const said = cutText(stderr, HOOK_LIMITS.outputCharacters);
  return {
    outcome: exitCode === BLOCKS ? 'block' : 'error',
    reason: said === '' ? `it ended with ${exitCode} and said nothing` : said,
    status: exitCode,
    text: cutText(stdout, HOOK_LIMITS.outputCharacters),
    output: null,
  };
}

/** A hook that ended well may still have said no. */
function judged(status: number, text: string): HookResult {
  const output = text.length <= HOOK_LIMITS.answerBytes ? hookOutput(text) : null;
  const reason = output === null ? null : blockReason(output);
  return {
    outcome: reason === null ? 'success' : 'block',
    reason,
    status,
    text: output === null ? cutText(text, HOOK_LIMITS.outputCharacters) : '',
    output: output === null ? null : { ...output },
  };
}

function failed(reason: string): HookResult {
  const said = cutText(reason, HOOK_LIMITS.outputCharacters);
  return { outcome: 'error', reason: said, status: null, text: '', output: null };
}
