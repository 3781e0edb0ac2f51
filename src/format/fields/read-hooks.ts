import type { Json } from '../../core/canonical-json.ts';
import type { ValuePath } from '../frontmatter-key.ts';
import { type FieldReader, isList, isMap } from './field-reader.ts';
import { HOOK_EVENTS, HOOK_TYPES, HookAction, type HookGroup, type Hooks } from './hook-schema.ts';

const KEY = 'hooks';

/**
 * The hooks that can run. One with a wrong schema is left out and reported where it stands; the skill and its other
 * hooks load. A group whose matcher is wrong goes as a whole, since without it its hooks would run everywhere.
 */
export function readHooks(reader: FieldReader): Hooks | null {
  const events = reader.value(KEY);
  if (events === undefined) return null;
  if (!isMap(events)) {
    refuse(reader, [], 'is not a map of events');
    return null;
  }
  const hooks: [string, HookGroup[]][] = [];
  for (const [event, groups] of Object.entries(events)) {
    if (!HOOK_EVENTS.has(event)) {
      reader.remark('hook-event-unknown', KEY, `there is no event ${JSON.stringify(event)}`, [event]);
    } else if (!isList(groups)) {
      refuse(reader, [event], 'is not a list');
    } else {
      const valid = groups.flatMap((group, index) => readGroup(reader, group, [event, index]) ?? []);
      if (valid.length > 0) hooks.push([event, valid]);
    }
  }
  return hooks.length > 0 ? Object.fromEntries(hooks) : null;
}

function readGroup(reader: FieldReader, group: Json, at: ValuePath): HookGroup | null {
  const refused = (path: ValuePath, why: string): null => {
    refuse(reader, [...at, ...path], why);
    return null;
  };
  if (!isMap(group)) return refused([], 'is not a map of a matcher and hooks');
  const { matcher, hooks: actions } = group;
  if (matcher !== undefined && matcher !== null && typeof matcher !== 'string')
    return refused(['matcher'], 'is not text');
  if (!isList(actions)) return refused(['hooks'], 'is not a list of hooks');
  const hooks = actions.flatMap((action, index) => readAction(reader, action, [...at, KEY, index]) ?? []);
  if (hooks.length === 0) return actions.length === 0 ? refused(['hooks'], 'is empty') : null;
  return typeof matcher === 'string' ? { matcher, hooks } : { hooks };
}

function readAction(reader: FieldReader, action: Json, at: ValuePath): HookAction | null {
  if (!isMap(action) || !HOOK_TYPES.some((type) => type === action['type'])) {
    refuse(reader, at, `has no type of ${HOOK_TYPES.join(', ')}`);
    return null;
  }
  const parsed = HookAction.safeParse(action);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
    refuse(reader, [...at, ...path], issue?.message ?? 'is not a hook');
    return null;
  }
  for (const member of Object.keys(action)) {
    if (!Object.hasOwn(parsed.data, member))
      reader.remark('hook-member-unknown', KEY, `a hook has no ${JSON.stringify(member)}`, [...at, member]);
  }
  return parsed.data;
}

function refuse(reader: FieldReader, at: ValuePath, why: string): void {
  const where = at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  reader.remark('hooks-invalid', KEY, `${KEY}${where}: ${why}`, at);
}
