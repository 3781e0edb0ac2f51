import { DurableObject } from 'cloudflare:workers';
import { digestOf } from '../core/digest.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { eventLog } from '../events/event-log.ts';
import { endsTurn, type HookCall } from '../hook/hook-contract.ts';
import {
  type AskCall,
  type HostCall,
  type HostState,
  type Invoked,
  type ListCall,
  type Pin,
  type Repeatable,
  type RuleCall,
  type SessionAddress,
  type SessionInvocation,
  type SessionPins,
  SessionStart,
  type SessionView,
  type TouchCall,
  type Touched,
} from '../invoke/sessions/session-contract.ts';
import { sessionView } from '../invoke/sessions/session-view.ts';
import { blobStore } from '../store/blob-store.ts';
import { records } from '../store/records.ts';
import { parseJson } from '../view/json-document.ts';
import { mergeListing } from '../view/listing/merge-listing.ts';
import { ruledLayers } from '../view/settings/layer-policy.ts';
import { narrowView } from '../view/narrow-view.ts';
import { PreflightQuestion } from '../view/listing/missing-requirements.ts';
import { hasBoundsOf } from '../view/principal.ts';
import { AgentListings, type Scene } from './agent-listings.ts';
import { AgentTable } from './agent-table.ts';
import { AnswerTable } from './answer-table.ts';
import { HookFirings } from './hook-firings.ts';
import { HookTable } from './hook-table.ts';
import { InvocationTable } from './invocation-table.ts';
import { PreflightTable } from './preflight-table.ts';
import { RuleTable } from './rule-table.ts';
import { type HookWorld, realWorld } from '../sandbox/run-hook.ts';
import { describeSession } from './session-description.ts';
import { activationEvents } from './session-events.ts';
import {
  conflict,
  tooManyAgents,
  tooManyNames,
  tooManyRules,
  unknownSession,
  unreadable,
} from './session-problems.ts';
import { SessionTable, type StoredSession } from './session-table.ts';
import { activatedBy, pathsOf } from './touched-skills.ts';

const MINUTE = 60_000;
const NO_HOOKS = { registered: 0, refused: 0 };
type Bounds = SessionAddress['boundTo'];

/**
 * One session, named `organisation/id`: the catalogs that it stands at, and what each of its agents was shown, has
 * activated and has loaded. What changes it is stored together with its answer, so that an answer that was lost can be
 * had again, and a session goes on after an eviction as if nothing had been.
 */
export class SessionObject extends DurableObject<Env> {
  /** Replaced by tests; a static is out of reach for callers over RPC. */
  static hookWorld: HookWorld = realWorld;

  readonly #session = new SessionTable(this.ctx.storage.sql);
  readonly #agents = new AgentTable(this.ctx.storage.sql);
  readonly #invocations = new InvocationTable(this.ctx.storage.sql);
  readonly #preflight = new PreflightTable(this.ctx.storage.sql);
  readonly #answers = new AnswerTable(this.ctx.storage.sql);
  readonly #hooks = new HookTable(this.ctx.storage.sql);
  readonly #rules = new RuleTable(this.ctx.storage.sql);
  readonly #listings = new AgentListings(this.#agents, this.#invocations, this.#preflight);
  readonly #firings = new HookFirings(
    this.ctx.storage.sql,
    { session: this.#session, hooks: this.#hooks, answers: this.#answers },
    (work) => this.#atOnce(work),
    SessionObject.hookWorld,
  );

  async create(input: SessionStart): Promise<Result<SessionView>> {
    const start = SessionStart.parse(input);
    // Its alarm may be late.
    if (this.#session.exists() && Date.now() >= expiryOf(this.#session.read())) await this.#forget();
    if (!this.#session.exists()) {
      this.ctx.storage.transactionSync(() => this.#session.create(start, Date.now()));
      await this.ctx.storage.setAlarm(Date.now() + start.idleMinutes * MINUTE);
    } else if (this.#session.read().start.fingerprint !== start.fingerprint) {
      return fail(conflict('this key began another session'));
    }
    return ok(this.#describe(this.#session.read()));
  }

  read(boundTo: Bounds): Result<SessionView> {
    const session = this.#open(boundTo);
    return session ? ok(this.#describe(session)) : fail(unknownSession());
  }

  async end(boundTo: Bounds): Promise<Result<null>> {
    if (!this.#open(boundTo)) return fail(unknownSession());
    await this.#forget();
    return ok(null);
  }

  pins(boundTo: Bounds): Result<SessionPins> {
    const session = this.#open(boundTo);
    if (!session) return fail(unknownSession());
    const { start, pins, generation } = session;
    const { has } = this.#preflight.host(start.host.has);
    const { layers, states } = start;
    const rules = this.#rules.rules();
    return ok({ generation, layers, pins, states, host: { ...start.host, has }, rules });
  }

  async list(boundTo: Bounds, call: ListCall): Promise<Result<string>> {
    return this.#change(boundTo, 'list', call, call.refresh, (scene) => this.#listings.list(scene, call));
  }

  async compact(boundTo: Bounds, call: ListCall): Promise<Result<string>> {
    return this.#change(boundTo, 'compact', call, call.refresh, (scene) =>
      this.#listings.compact(scene, call),
    );
  }

  async touch(boundTo: Bounds, call: TouchCall): Promise<Result<string>> {
    return this.#change(boundTo, 'touch', call, false, ({ session, merged, events }) => {
      const paths = pathsOf(call, session.start.host);
      const activated = activatedBy(paths, merged, this.#agents.activated(call.agent));
      this.#agents.activate(call.agent, activated);
      events.push(...activationEvents(activated, merged, call));
      const answer: Touched = { paths, activated };
      return JSON.stringify(answer);
    });
  }

  tell(boundTo: Bounds, call: HostCall): Result<string> {
    const session = this.#open(boundTo);
    if (!session) return fail(unknownSession());
    return this.#once('tell', call, () => {
      if (!this.#preflight.tell(call)) return fail(tooManyNames());
      this.#session.change();
      const answer: HostState = this.#preflight.host(session.start.host.has);
      return ok(JSON.stringify(answer));
    });
  }

  rule(boundTo: Bounds, call: RuleCall): Result<string> {
    if (!this.#open(boundTo)) return fail(unknownSession());
    return this.#once('rule', call, () => {
      if (!this.#rules.change(call, Date.now())) return fail(tooManyRules());
      this.#session.change();
      return ok(JSON.stringify({ rules: this.#rules.all() }));
    });
  }

  ask(boundTo: Bounds, call: AskCall): Result<PreflightQuestion | null> {
    if (!this.#open(boundTo)) return fail(unknownSession());
    // What is missing may be less when the same request is made again.
    const skills = [...new Set(call.missing.flatMap((each) => each.skills))];
    const { idempotencyKey } = call;
    const asked = this.#once('ask', { idempotencyKey, skills }, () =>
      ok(JSON.stringify(this.#preflight.ask(call.missing))),
    );
    return asked.ok ? ok(parseJson(PreflightQuestion, asked.value)) : asked;
  }

  invoked(boundTo: Bounds, invocation: SessionInvocation): Result<Invoked> {
    const session = this.#open(boundTo);
    if (!session) return fail(unknownSession());
    const { generation } = invocation;
    if (generation !== null && session.generation !== generation)
      return ok({ alreadyLoaded: false, stale: true, hooks: NO_HOOKS });
    if (!this.#agents.hasRoomFor(invocation.agent)) return fail(tooManyAgents());
    const now = Date.now();
    // Mostly there is one row to write, and then nothing that could come apart.
    const simple = !this.#session.isUseDue(now) && !this.#hooks.concern(invocation);
    const again = simple ? this.#invocations.again(invocation, now) : null;
    if (again !== null) return ok({ alreadyLoaded: again, stale: false, hooks: NO_HOOKS });
    return this.#atOnce(() => {
      this.#session.use(now);
      const hooks = this.#hooks.register(invocation);
      const loaded = simple ? null : this.#invocations.again(invocation, now);
      if (loaded === null) this.#invocations.add(invocation, now);
      return ok({ alreadyLoaded: loaded ?? false, stale: false, hooks });
    });
  }

  async fireHooks(boundTo: Bounds, call: HookCall): Promise<Result<string>> {
    const session = this.#open(boundTo);
    if (!session) return fail(unknownSession());
    const { start, pins } = session;
    // A repeat may come late, when another turn has begun.
    if (endsTurn(call) && !this.#firings.isRepeat(call))
      this.#atOnce(() => this.#rules.endAllowedTurn() && this.#session.change());
    const { organisation, layers } = start;
    const { views } = await records(this.env).read(null, ruledLayers(layers), organisation);
    const policies = views.filter((view) => view !== null);
    const rules = this.#rules.rules();
    const seen = { ...call.surroundings, policies };
    const view = sessionView(organisation, { ...start, pins, rules }, seen, call.agent);
    return this.#firings.fire(start.id, call, view, () => this.#open(boundTo) !== null);
  }

  /** Comes when the session may have been idle for long enough; where it was used since, it is set again. */
  override async alarm(): Promise<void> {
    if (!this.#session.exists()) return;
    const expires = expiryOf(this.#session.read());
    if (Date.now() < expires) await this.ctx.storage.setAlarm(expires);
    else await this.#forget();
  }

  /**
   * A change, in one transaction with its answer. Whatever has to be waited for is read before, so that two calls at
   * once come one after the other.
   */
  async #change(
    boundTo: Bounds,
    name: string,
    call: ListCall | TouchCall,
    refresh: boolean,
    work: (scene: Scene) => string,
  ): Promise<Result<string>> {
    const read = await this.#scene(boundTo, call, refresh);
    if (!read.ok) return read;
    const scene = read.value;
    const { surroundings: _, ...asked } = call;
    const changed = this.#once(name, asked, () => {
      if (!this.#agents.hasRoomFor(call.agent)) return fail(tooManyAgents());
      if (refresh) this.#session.pin(scene.session.pins);
      return ok(work(scene));
    });
    for (const event of scene.events) eventLog(this.env).emit(scene.view, event);
    return changed;
  }

  /** Works, and stores the answer with the work; with a key, the answer of the first time is had again. */
  #once<Asked extends Repeatable>(
    name: string,
    { idempotencyKey: key, ...asked }: Asked,
    work: () => Result<string>,
  ): Result<string> {
    const repeatKey = key === null ? null : `${name} ${key}`;
    const fingerprint = digestOf(JSON.stringify(asked));
    return this.#atOnce(() => {
      const before = repeatKey === null ? null : this.#answers.read(repeatKey, fingerprint);
      if (before === 'conflict') return fail(conflict('this key belongs to another request'));
      if (before) return ok(before.answer);
      const answer = work();
      if (answer.ok && repeatKey !== null) this.#answers.write(repeatKey, fingerprint, answer.value);
      this.#session.use(Date.now());
      return answer;
    });
  }

  /** One transaction; what was remembered of the session is forgotten where it comes to nothing. */
  #atOnce<Value>(work: () => Value): Value {
    try {
      return this.ctx.storage.transactionSync(work);
    } catch (error) {
      this.#forgetRead();
      throw error;
    }
  }

  /** Read again where the session was moved to other catalogs, or ended, while its indexes were read. */
  async #scene(boundTo: Bounds, call: ListCall | TouchCall, refresh: boolean): Promise<Result<Scene>> {
    for (;;) {
      const session = this.#open(boundTo);
      if (!session) return fail(unknownSession());
      const { start, generation } = session;
      const pins = refresh ? await this.#currentPins(session) : session.pins;
      const seen = sessionView(start.organisation, { ...start, pins }, call.surroundings, call.agent);
      const view = 'states' in call ? narrowView(seen, call.states) : seen;
      const merged = await mergeListing(blobStore(this.env), view);
      if (!merged) return fail(unreadable());
      if (this.#open(boundTo)?.generation === generation) {
        return ok({ session: { ...session, pins }, view, merged, events: [] });
      }
    }
  }

  async #currentPins({ start }: StoredSession): Promise<Pin[]> {
    const { views } = await records(this.env).read(null, start.layers, start.organisation);
    return start.layers.flatMap((layer, at) => {
      const head = views[at]?.head;
      return head ? [{ layer, head }] : [];
    });
  }

  /** Null where there is no session, it has expired, or it is not this caller's. */
  #open(boundTo: Bounds): StoredSession | null {
    if (!this.#session.exists()) return null;
    const session = this.#session.read();
    const lives = Date.now() < expiryOf(session);
    return lives && hasBoundsOf(boundTo, session.start.boundTo) ? session : null;
  }

  #describe(session: StoredSession): SessionView {
    const host = this.#preflight.host(session.start.host.has);
    const tables = { agents: this.#agents, invocations: this.#invocations, hooks: this.#hooks };
    return describeSession(session, tables, this.#rules.all(), host, expiryOf(session));
  }

  async #forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#forgetRead();
  }

  /** What is remembered may not be what is stored. */
  #forgetRead(): void {
    const tables = [this.#session, this.#agents, this.#invocations, this.#hooks, this.#rules];
    for (const table of tables) table.forget();
  }
}

function expiryOf({ start, lastUsedAt }: StoredSession): number {
  return lastUsedAt + start.idleMinutes * MINUTE;
}
