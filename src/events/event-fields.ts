import type { SkillEvent } from '../invoke/event.ts';

/**
 * What a field holds. `name`: text that some tenant chose or that can be told from it, such as a digest. `layer`: a layer,
 * which has a name in it. `word`: one of a few words of ours.
 */
export type FieldClass<Value> =
  true extends IsOpen<Value>
    ? 'name' | 'layer'
    : [Value] extends [string | null]
      ? 'word'
      : [Value] extends [number | null]
        ? 'number'
        : 'flag';

/** True for text that is not one of a few: `string`, and patterns such as that of a digest, which stand for any key. */
type IsOpen<Value> = Value extends string
  ? Record<never, never> extends Record<Value, true>
    ? true
    : false
  : false;

type EventOf<Kind extends SkillEvent['kind']> = Extract<SkillEvent, { readonly kind: Kind }>;

type EventFields = {
  readonly [Kind in SkillEvent['kind']]: {
    readonly [Field in Exclude<keyof EventOf<Kind>, 'kind'>]-?: FieldClass<EventOf<Kind>[Field]>;
  };
};

/**
 * Every field of every event, in the order in which it is written. A field that is missing here does not compile, and open
 * text can be nothing but a name. New fields come last: the order is that of the columns in Analytics Engine.
 */
export const EVENT_FIELDS: EventFields = {
  skill_activated: {
    skill: 'name',
    layer: 'layer',
    revision: 'name',
    trigger: 'word',
    context: 'word',
    outcome: 'word',
    code: 'word',
    agent: 'name',
    run: 'name',
    tokens: 'number',
    milliseconds: 'number',
    session: 'flag',
    slash: 'flag',
  },
  listing_fitted: {
    profile: 'word',
    unit: 'word',
    mode: 'word',
    agent: 'name',
    budget: 'number',
    used: 'number',
    contextWindow: 'number',
    full: 'number',
    shortened: 'number',
    nameOnly: 'number',
    omitted: 'number',
    session: 'flag',
  },
  skills_changed: {
    agent: 'name',
    added: 'number',
    changed: 'number',
    gone: 'number',
    refreshed: 'flag',
  },
  skills_searched: {
    agent: 'name',
    terms: 'number',
    results: 'number',
    milliseconds: 'number',
  },
  skill_held: {
    skill: 'name',
    layer: 'layer',
    revision: 'name',
    origin: 'word',
    verdict: 'word',
    decision: 'word',
    actor: 'word',
    complete: 'flag',
  },
  run_ended: {
    skill: 'name',
    layer: 'layer',
    revision: 'name',
    run: 'name',
    agent: 'name',
    engine: 'word',
    stopReason: 'word',
    turns: 'number',
    toolCalls: 'number',
    tokens: 'number',
    cost: 'number',
    milliseconds: 'number',
    nested: 'flag',
  },
};
