import { EVENT_LIMITS } from '../../core/limits.ts';
import { ok, type Result } from '../../core/result.ts';
import type { PushPorts } from '../../publish/ports.ts';
import { DEFAULT_SETTINGS } from '../../view/settings/org-settings.ts';
import type { Principal } from '../../view/principal.ts';
import { authenticate } from './authenticate.ts';
import type { AppContext } from '../context.ts';
import { type Services, servicesFor } from '../services.ts';

interface Publisher {
  readonly principal: Principal;
  /** Services, with an ear for what is held: each such skill is an event. */
  readonly ports: Services & PushPorts;
}

/** Who publishes, or judges what was published. Layers are named by the call, and not by `scope=`. */
export async function publisherOf(context: AppContext): Promise<Result<Publisher>> {
  const authenticated = await authenticate(context, undefined);
  if (!authenticated.ok) return authenticated;
  const { principal, views, layers } = authenticated.value;
  const services = servicesFor(context.env);
  const settings = views[layers.indexOf('org')]?.settings ?? DEFAULT_SETTINGS;
  const origin = { organisation: principal.organisation, settings };
  const noteHeld: PushPorts['noteHeld'] = (held) => {
    for (const one of held.slice(0, EVENT_LIMITS.activatedAtOnce)) {
      const { layer, entry, origin: from, verdict, decision, actor, complete } = one;
      const { name: skill, revision } = entry;
      const fields = { skill, layer, revision, origin: from, verdict, decision, actor, complete };
      services.events.emit(origin, { kind: 'skill_held', ...fields });
    }
  };
  return ok({ principal, ports: { ...services, noteHeld } });
}
