import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { digestOf } from '../../src/core/digest.ts';
import type { Hooks } from '../../src/format/fields/hook-schema.ts';
import type { Invoked, SessionInvocation } from '../../src/invoke/sessions/session-contract.ts';
import { durableSessions } from '../../src/session/durable-sessions.ts';
import type { Answer, SessionClient } from './support.ts';

let keys = 0;

/** A session of an organisation whose agents invoke skills with hooks, and tell of events. */
export class HookClient {
  readonly #organisation: string;
  readonly session: SessionClient;
  /** False: invocations meet what the object has in memory. */
  evicts = true;

  constructor(organisation: string, session: SessionClient) {
    this.#organisation = organisation;
    this.session = session;
  }

  get object() {
    return env.SESSION.getByName(`${this.#organisation}/${this.session.id}`);
  }

  /** As `POST /v1/invoke` notes it. */
  async invoked(hooks: Hooks | null, more: Partial<SessionInvocation> = {}): Promise<Invoked> {
    if (this.evicts) await evictDurableObject(this.object).catch(() => undefined);
    const address = { organisation: this.#organisation, id: this.session.id, boundTo: null };
    const invoked = await durableSessions(env.SESSION).invoked(address, {
      agent: 'main',
      generation: null,
      grants: [],
      skill: 'guard',
      layer: 'org',
      revision: digestOf('guard'),
      text: 'Guard.',
      args: '',
      persist: true,
      hooks,
      trust: 'trusted',
      pluginRoot: null,
      skillDirectory: null,
      idempotencyKey: null,
      ...more,
    });
    if (!invoked.ok) throw new Error(JSON.stringify(invoked.error));
    return invoked.value;
  }

  /** One event, with a key of its own unless one is given. */
  async fire(event: string, body: unknown = {}, key?: string): Promise<Answer> {
    keys += 1;
    const headers = { 'Idempotency-Key': key ?? `fire-${keys}` };
    return this.session.call('POST', `/hooks/${event}`, { body, headers });
  }

  /** Of the fired hooks, what the tests want to see of each. */
  async fired(event: string, body: unknown = {}, key?: string): Promise<Record<string, unknown>[]> {
    const { status, body: answer } = await this.fire(event, body, key);
    if (status !== 200) throw new Error(JSON.stringify(answer));
    return Array.isArray(answer['fired']) ? answer['fired'] : [];
  }

  /** What `GET` shows of an agent. */
  async registered(agent = 'main'): Promise<unknown> {
    const { body } = await this.session.call('GET', '');
    const agents: unknown[] = Array.isArray(body['agents']) ? body['agents'] : [];
    const shown = agents.find(
      (each): each is { hooks: unknown } =>
        typeof each === 'object' && each !== null && 'agent' in each && each.agent === agent,
    );
    return shown?.hooks;
  }
}

export function command(text: string, more: object = {}) {
  return { type: 'command' as const, command: text, ...more };
}
