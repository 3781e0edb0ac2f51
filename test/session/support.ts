import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { call } from '../support/deployment.ts';

/** As much of an answer as the tests look at. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly listing?: Record<string, unknown> };
}

/** One session over HTTP. Its object is evicted before every call: nothing may be kept in memory alone. */
export class SessionClient {
  readonly #organisation: string;
  readonly #token: string;
  readonly id: string;

  constructor(organisation: string, token: string, id: string) {
    this.#organisation = organisation;
    this.#token = token;
    this.id = id;
  }

  static async begin(
    organisation: string,
    token: string,
    options: { scope?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<SessionClient> {
    const path = `/v1/sessions${options.scope === undefined ? '' : `?scope=${options.scope}`}`;
    const { body = {}, headers = {} } = options;
    const answer = await call('POST', path, { token, body, headers });
    const view: { id: string } = await answer.json();
    if (answer.status !== 201) throw new Error(`no session: ${JSON.stringify(view)}`);
    return new SessionClient(organisation, token, view.id);
  }

  async call(
    method: string,
    path: string,
    {
      body,
      headers = {},
      token = this.#token,
    }: { body?: unknown; headers?: Record<string, string>; token?: string } = {},
  ): Promise<Answer> {
    await this.#evict();
    const response = await call(method, `/v1/sessions/${this.id}${path}`, { token, body, headers });
    return { status: response.status, body: response.status === 204 ? {} : await response.json() };
  }

  /** A call that was refused at the door did not wake it. */
  async #evict(): Promise<void> {
    await evictDurableObject(env.SESSION.getByName(`${this.#organisation}/${this.id}`)).catch(
      (error: unknown) => {
        if (!String(error).includes('not currently running')) throw error;
      },
    );
  }

  async list(query = '', headers: Record<string, string> = {}): Promise<Answer['body']> {
    return (await this.call('POST', `/listing${query}`, { headers })).body;
  }

  async compact(query = ''): Promise<Answer['body']> {
    return (await this.call('POST', `/compact${query}`)).body;
  }
}
