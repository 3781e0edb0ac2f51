import { BoundedCache } from '../core/bounded-cache.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { REGISTRY_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { type Fetch, fetchPublic, type PublicAnswer } from '../core/public-fetch.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { mismatch, unavailable } from './remote-problems.ts';
import { readWellKnownIndex, type WellKnownIndex } from './well-known-index.ts';

/** Where the index is, below the registry's URL: that of now, and where there is none the older one. */
const INDEXES = ['.well-known/agent-skills/index.json', '.well-known/skills/index.json'];

/** What this isolate asks of the registry, and remembers of its answers: an index for minutes, a failure for seconds. */
export class RegistryClient {
  readonly #base: string;
  readonly #fetch: Fetch;
  #index: { readonly value: Result<WellKnownIndex>; readonly until: number } | null = null;
  readonly #failures = new BoundedCache<string, { readonly problem: Problem; readonly until: number }>(
    REGISTRY_LIMITS.failures,
  );

  constructor(base: string, fetch: Fetch) {
    this.#base = base.replace(/\/+$/, '');
    this.#fetch = fetch;
  }

  async index(): Promise<Result<WellKnownIndex>> {
    if (this.#index && this.#index.until > Date.now()) return this.#index.value;
    const value = await this.#readIndex();
    const { indexMilliseconds, failureMilliseconds } = REGISTRY_LIMITS;
    this.#index = { value, until: Date.now() + (value.ok ? indexMilliseconds : failureMilliseconds) };
    return value;
  }

  /** The bytes of a SKILL.md, which are those of the digest where there is one. */
  async skillFile(url: string, digest: Digest | null): Promise<Result<Uint8Array>> {
    const key = `${digest} ${url}`;
    const failure = this.#failures.get(key);
    if (failure && failure.until > Date.now()) return fail(failure.problem);
    const read = await this.#readSkillFile(url, digest);
    if (read.ok) return read;
    this.#failures.set(key, { problem: read.error, until: Date.now() + REGISTRY_LIMITS.failureMilliseconds });
    // The skill may be a new one, and the index that is remembered older: the next call takes that of now.
    if (read.error.code === 'skill_remote_mismatch') this.#index = null;
    return read;
  }

  async #readIndex(): Promise<Result<WellKnownIndex>> {
    for (const path of INDEXES) {
      const answer = await this.#get(`${this.#base}/${path}`, REGISTRY_LIMITS.indexBytes);
      if (!answer.ok) return answer;
      const { status, url, text } = answer.value;
      if (status === 404) continue;
      if (status !== 200) return fail(unavailable(`it answered ${status} for its index`));
      const index = readWellKnownIndex(text, url);
      return index.ok ? index : fail(unavailable(index.error));
    }
    return fail(unavailable('it has no index'));
  }

  async #readSkillFile(url: string, digest: Digest | null): Promise<Result<Uint8Array>> {
    const answer = await this.#get(url, SKILL_LIMITS.skillFileBytes);
    if (!answer.ok) return answer;
    const { status, bytes } = answer.value;
    if (status !== 200) return fail(unavailable(`it answered ${status} for the skill`));
    const actual = digestOf(bytes);
    return digest === null || actual === digest ? ok(bytes) : fail(mismatch(digest, actual));
  }

  async #get(url: string, answerBytes: number): Promise<Result<PublicAnswer>> {
    const answer = await fetchPublic(this.#fetch, {
      url,
      method: 'GET',
      headers: {},
      body: null,
      milliseconds: REGISTRY_LIMITS.milliseconds,
      answerBytes,
      objection: () => null,
    });
    return answer.ok ? answer : fail(unavailable(answer.error));
  }
}
