import { BoundedCache } from '../../core/bounded-cache.ts';
import { CACHE_LIMITS, SESSION_LIMITS } from '../../core/limits.ts';
import { fail, type Result } from '../../core/result.ts';
import type { SessionAddress, SessionPins } from '../../invoke/sessions/session-contract.ts';
import type { Layer } from '../../catalog/layers.ts';
import { ruledLayers } from '../../view/settings/layer-policy.ts';
import type { Surroundings } from '../../view/surroundings.ts';
import { sessionMoved, type SessionScene } from '../../invoke/sessions/session-scene.ts';
import { sessionView } from '../../invoke/sessions/session-view.ts';
import { viewForAgent } from '../../view/narrow-view.ts';
import type { View } from '../../view/view.ts';
import { unknownSession } from '../../session/session-problems.ts';
import type { AppContext } from '../context.ts';
import { servicesFor } from '../services.ts';
import { type Caller, surroundingsOf } from './view-of.ts';

/** What a call about a skill sees: the layers of the request, or those that its session stands at. */
export interface Scene {
  readonly view: View;
  readonly session: SessionScene | null;
}

interface Remembered {
  readonly pins: SessionPins;
  /** Layers of the session whose rules of now count. */
  readonly ruled: readonly Layer[];
  readonly until: number;
  /** By agent, each for as long as everything around the session is the same. */
  readonly views: Map<string, { readonly surroundings: Surroundings; readonly view: View }>;
}

const SESSION_ID = /^ses_[0-9a-z]{26}$/;
/** Sessions that are in use here: an invocation then asks its session once, when it is noted, and not before. */
const known = new BoundedCache<string, Remembered>(SESSION_LIMITS.rememberedPins);
const ATTEMPTS = 3;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/**
 * Does something in the session that a call names, or outside of all where it names none; any other text is a label of the
 * caller's own. Where remembered pins turn out to be old, it is done again with those of now.
 */
export async function inScene<Value>(
  context: AppContext,
  caller: Caller,
  call: { readonly session?: string | undefined; readonly agent: string },
  mayBeRemembered: boolean,
  work: (scene: Scene) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const { session, agent } = call;
  if (session !== undefined && isMistaken(session)) return fail(unknownSession());
  if (session === undefined || !isSessionId(session)) {
    return work({ view: viewForAgent(caller.view, agent), session: null });
  }
  const { organisation, layers } = caller.principal;
  const address: SessionAddress = { organisation, id: session, boundTo: layers };
  const surroundings = surroundingsOf(context, caller.layers, caller.records);
  const key = keyOf(address);
  const { records, sessions } = servicesFor(context.env);
  const sceneNow = async (remembered: Remembered, fresh: boolean): Promise<Scene> => {
    const { ruled } = remembered;
    const views = ruled.length === 0 ? [] : (await records.read(null, ruled, organisation)).views;
    const policies = views.filter((view) => view !== null);
    return sceneOf(address, remembered, { ...surroundings, policies }, agent, fresh);
  };
  const before = mayBeRemembered ? known.get(key) : undefined;
  if (before && before.until > Date.now()) {
    const result = await work(await sceneNow(before, false));
    // A name that is not there may be there by now.
    if (result.ok || !['session_moved', 'skill_unknown'].includes(result.error.code)) return result;
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    known.delete(key);
    const pins = await sessions.pins(address);
    if (!pins.ok) return pins;
    const until = Date.now() + CACHE_LIMITS.recordMilliseconds;
    const ruled = ruledLayers(pins.value.layers);
    const now: Remembered = { pins: pins.value, ruled, until, views: new Map() };
    known.set(key, now);
    const result = await work(await sceneNow(now, true));
    if (result.ok || result.error.code !== 'session_moved') return result;
  }
  return fail(sessionMoved());
}

/** A label may be anything but what can only be the id of a session, with a mistake in it. */
function isMistaken(session: string): boolean {
  return session.startsWith('ses_') && !isSessionId(session);
}

/** Its rules changed here: whoever asks next under the same bounds asks the session itself. */
export function forgetPins(address: SessionAddress): void {
  known.delete(keyOf(address));
}

function keyOf({ organisation, id, boundTo }: SessionAddress): string {
  return JSON.stringify([organisation, id, boundTo]);
}

function sceneOf(
  address: SessionAddress,
  { pins, views }: Remembered,
  surroundings: Surroundings,
  agent: string,
  fresh: boolean,
): Scene {
  const made = views.get(agent);
  const same =
    made?.surroundings.organisation === surroundings.organisation &&
    made.surroundings.flags.join() === surroundings.flags.join() &&
    samePolicies(made.surroundings, surroundings) &&
    Date.now() < made.view.validUntil;
  const view = same ? made.view : sessionView(address.organisation, pins, surroundings, agent);
  if (!same && (made || views.size < SESSION_LIMITS.agents)) views.set(agent, { surroundings, view });
  return { view, session: { address, pins, fresh } };
}

function samePolicies(
  { policies: left = [] }: Surroundings,
  { policies: right = [] }: Surroundings,
): boolean {
  return left.length === right.length && left.every((record, at) => record === right[at]);
}
