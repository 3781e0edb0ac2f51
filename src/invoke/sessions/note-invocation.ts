import { fail, ok, type Result } from '../../core/result.ts';
import { alreadyLoaded } from '../../prompt/inline-messages.ts';
import type { InlineInvocation, InvokeRequest } from '../invoke-skill.ts';
import type { Sessions } from './session-contract.ts';
import { sessionMoved, type SessionScene } from './session-scene.ts';

/**
 * Tells a session of an inline invocation, which then registers the skill's hooks. Where this agent has the very same text
 * in its conversation already, a short note stands in for it. `session_moved`: nothing has come of it.
 */
export async function noteInvocation(
  sessions: Pick<Sessions, 'invoked'>,
  { address, pins, fresh }: SessionScene,
  invocation: InlineInvocation,
  request: InvokeRequest,
): Promise<Result<InlineInvocation>> {
  const { found, details } = invocation.skill;
  const { entry, layer } = found;
  const { fields } = details.report;
  const noted = await sessions.invoked(address, {
    agent: request.agent,
    generation: fresh ? null : pins.generation,
    skill: entry.name,
    layer: layer.layer,
    revision: entry.revision,
    text: invocation.content,
    args: request.args ?? '',
    persist: fields.persist,
    grants: invocation.contextModifier.allowedTools?.value ?? [],
    hooks: fields.hooks,
    trust: entry.trust,
    pluginRoot: request.plugin?.root ?? null,
    skillDirectory: request.baseDirectory,
    idempotencyKey: request.idempotencyKey,
  });
  if (!noted.ok) return noted;
  if (noted.value.stale) return fail(sessionMoved());
  if (!noted.value.alreadyLoaded) return ok(invocation);
  return ok({ ...invocation, messages: [alreadyLoaded(entry.name)], substitutions: [], alreadyLoaded: true });
}
