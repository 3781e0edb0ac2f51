import { digestOf } from '../core/digest.ts';
import { HOOK_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { HookAnswer, HookCall, RegisteredHook } from '../hook/hook-contract.ts';
import { canBlock } from '../hook/hook-events.ts';
import { isPattern } from '../hook/hook-matcher.ts';
import { planHooks } from '../hook/plan-hooks.ts';
import { loadPatterns, type ReadPattern } from '../policy/linear-pattern.ts';
import type { View } from '../view/view.ts';
import type { AnswerTable } from './answer-table.ts';
import { FiringTable } from './firing-table.ts';
import type { HookTable } from './hook-table.ts';
import { hookInput, type HookWorld, runHook } from '../sandbox/run-hook.ts';
import { conflict, unknownSession } from './session-problems.ts';
import type { SessionTable } from './session-table.ts';

/** Works in one transaction. */
type AtOnce = <Value>(work: () => Value) => Value;

/** Where a call stands after its first transaction. */
type Begun =
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'running'; readonly answer: Promise<Result<string>> }
  | { readonly kind: 'begun'; readonly here: readonly RegisteredHook[] }
  | { readonly kind: 'patterns' };

/**
 * Fires hooks. Matching and what the host runs are one transaction with the answer. What is run here cannot be: it is
 * noted before and after, and a repeat joins it while it runs, or is told that it was interrupted.
 */
export class HookFirings {
  readonly #atOnce: AtOnce;
  readonly #world: HookWorld;
  readonly #session: SessionTable;
  readonly #hooks: HookTable;
  readonly #answers: AnswerTable;
  readonly #firings: FiringTable;
  readonly #running = new Map<string, Promise<Result<string>>>();
  #readPattern: ReadPattern | null = null;

  /** Tables are those of the session's object, since each remembers what it read. */
  constructor(
    sql: SqlStorage,
    tables: { readonly session: SessionTable; readonly hooks: HookTable; readonly answers: AnswerTable },
    atOnce: AtOnce,
    world: HookWorld,
  ) {
    this.#atOnce = atOnce;
    this.#world = world;
    this.#session = tables.session;
    this.#hooks = tables.hooks;
    this.#answers = tables.answers;
    this.#firings = new FiringTable(sql);
  }

  /** Whether the call was made before, whatever has come of it. */
  isRepeat(call: HookCall): boolean {
    const key = repeatKey(call);
    return this.#answers.read(key, fingerprintOf(call)) !== null || this.#firings.read(key) !== null;
  }

  /** `lives`: whether the session is still there, asked before every change. */
  async fire(session: string, call: HookCall, view: View, lives: () => boolean): Promise<Result<string>> {
    for (;;) {
      const begun = this.#atOnce(() => (lives() ? this.#begin(call, view) : fail(unknownSession())));
      if (!begun.ok) return begun;
      switch (begun.value.kind) {
        case 'patterns':
          this.#readPattern = await loadPatterns();
          break;
        case 'answered':
          return ok(begun.value.answer);
        case 'running':
          return begun.value.answer;
        case 'begun': {
          const key = repeatKey(call);
          const running = this.#run(session, call, view, begun.value.here, lives).finally(() =>
            this.#running.delete(key),
          );
          this.#running.set(key, running);
          return running;
        }
      }
    }
  }

  #begin(call: HookCall, view: View): Result<Begun> {
    const key = repeatKey(call);
    const fingerprint = fingerprintOf(call);
    const before = this.#answers.read(key, fingerprint);
    const firing = this.#firings.read(key);
    if (before === 'conflict' || (firing && firing.fingerprint !== fingerprint))
      return fail(conflict('this key belongs to another request'));
    if (before) return ok({ kind: 'answered', answer: before.answer });
    if (firing) {
      const answer = this.#running.get(key);
      return ok(
        answer ? { kind: 'running', answer } : { kind: 'answered', answer: this.#end(call, firing.number) },
      );
    }
    const registered = this.#hooks.of(call.agent, call.event);
    const readPattern = this.#readPattern ?? NO_PATTERNS;
    if (readPattern === NO_PATTERNS && registered.some(({ matcher }) => isPattern(matcher)))
      return ok({ kind: 'patterns' });
    this.#session.use(Date.now());
    for (const { hook, ok: succeeded } of call.results)
      if (succeeded) this.#hooks.removeOnce(call.agent, hook);
    const { here, ...plan } = planHooks(this.#hooks.of(call.agent, call.event), call, view, readPattern);
    const { event, agent } = call;
    const answer: HookAnswer = {
      event,
      agent,
      ...plan,
      fired: [...plan.fired],
      decision: 'none',
      reason: null,
    };
    if (here.length > 0) {
      this.#firings.begin(key, fingerprint, answer);
      return ok({ kind: 'begun', here });
    }
    const text = JSON.stringify(answer);
    this.#answers.write(key, fingerprint, text);
    return ok({ kind: 'answered', answer: text });
  }

  async #run(
    session: string,
    call: HookCall,
    view: View,
    hooks: readonly RegisteredHook[],
    lives: () => boolean,
  ): Promise<Result<string>> {
    const input = hookInput(session, call);
    const end = Date.now() + HOOK_LIMITS.milliseconds;
    const stillThere = () => (lives() ? this.#firings.read(repeatKey(call)) : null);
    await Promise.all(
      hooks.map(async (registered) => {
        const result = await runHook(registered, input, end, view, this.#world);
        this.#atOnce(() => {
          const firing = stillThere();
          if (!firing) return;
          this.#firings.note(firing.number, registered.hook, result);
          if (result.outcome === 'success') this.#hooks.removeOnce(call.agent, registered.hook);
        });
      }),
    );
    return this.#atOnce(() => {
      const firing = stillThere();
      return firing ? ok(this.#end(call, firing.number)) : fail(unknownSession());
    });
  }

  /** The answer with all that is known by now, kept for whoever asks again. */
  #end(call: HookCall, number: number): string {
    const answer = this.#firings.end(number);
    const block = answer.fired.find((hook) => hook.run === 'here' && hook.result.outcome === 'block');
    const decided: HookAnswer =
      block?.run === 'here' && canBlock(call.event)
        ? { ...answer, decision: 'block', reason: block.result.reason }
        : answer;
    const text = JSON.stringify(decided);
    this.#answers.write(repeatKey(call), fingerprintOf(call), text);
    return text;
  }
}

/** Before any pattern was met. */
const NO_PATTERNS: ReadPattern = () => fail('no pattern can be read yet');

function repeatKey({ idempotencyKey }: HookCall): string {
  return `hooks ${idempotencyKey}`;
}

function fingerprintOf(call: HookCall): string {
  return digestOf(JSON.stringify({ ...call, surroundings: null }));
}
