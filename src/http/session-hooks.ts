import { Hono } from 'hono';
import { z } from 'zod';
import { HOOK_LIMITS, REQUEST_LIMITS, SESSION_LIMITS } from '../core/limits.ts';
import { isHookEvent, isToolEvent } from '../hook/hook-events.ts';
import { answerText, type AppEnv, refuse } from './context.ts';
import { idempotencyKey } from './request/idempotency-key.ts';
import { readJson } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { callerOf } from './sessions.ts';
import { Agent } from './request/skill-call.ts';

const JsonMembers = z.record(z.string(), z.json());
const Value = z.string().max(HOOK_LIMITS.valueCharacters);

const HookEvent = z.strictObject({
  agent: Agent,
  toolName: Value.min(1).optional(),
  toolInput: z.union([z.string().max(REQUEST_LIMITS.argumentCharacters), JsonMembers]).optional(),
  value: Value.optional(),
  input: JsonMembers.default({}),
  results: z
    .array(z.strictObject({ hook: z.string().max(40), ok: z.boolean() }))
    .max(SESSION_LIMITS.hooks)
    .default([]),
});

/** What happened in an agent, for the hooks of the skills that it invoked. */
export const sessionHooks = new Hono<AppEnv>().post('/:id/hooks/:event', async (context) => {
  const caller = await callerOf(context, 'skills:invoke');
  if (!caller.ok) return refuse(context, caller.error);
  const body = await readJson(context, HookEvent, REQUEST_LIMITS.jsonBytes);
  if (!body.ok) return refuse(context, body.error);
  const key = idempotencyKey(context);
  if (!key.ok) return refuse(context, key.error);
  const event = context.req.param('event');
  const { toolName = null, toolInput = {}, value = null, ...rest } = body.value;
  const wrong = mistake(event, toolName, key.value);
  if (wrong) return refuse(context, { code: 'bad_request', ...wrong });
  const { address, surroundings } = caller.value;
  const fired = await servicesFor(context.env).sessions.fireHooks(address, {
    ...rest,
    surroundings,
    event,
    toolName,
    toolInput,
    value,
    idempotencyKey: key.value ?? '',
  });
  return fired.ok ? answerText(fired.value) : refuse(context, fired.error);
});

function mistake(event: string, toolName: string | null, key: string | null) {
  if (!isHookEvent(event))
    return {
      at: 'event',
      detail: 'there is no such event',
      hint: 'For instance PreToolUse or SessionStart.',
    };
  if (key === null)
    return {
      at: 'Idempotency-Key',
      detail: 'this call needs an Idempotency-Key, since what a hook does cannot be taken back',
      hint: 'A UUID will do; send the same one with a repeat.',
    };
  if (isToolEvent(event) === (toolName === null))
    return {
      at: 'toolName',
      detail: isToolEvent(event) ? `${event} is about a tool` : `${event} is not about a tool`,
      hint: 'Tool events take toolName and toolInput, others value.',
    };
  return null;
}
