import { layerKind } from '../catalog/layers.ts';
import { EVENT_LIMITS } from '../core/limits.ts';
import { visibleCharacters } from '../core/visible-characters.ts';
import type { EventOrigin, SkillEvent } from '../invoke/event.ts';
import { EVENT_FIELDS } from './event-fields.ts';

/** Stands for every name alike, so that nobody can look one up in a list of names. */
export const MASKED = 'masked';

/** An event as it leaves this deployment: bounded, safe to print, and without names where they are not to be told. */
export interface EventRecord {
  readonly event: SkillEvent['kind'];
  readonly organisation: string;
  /** By field, in the order of the table. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly numbers: Readonly<Record<string, number | boolean | null>>;
}

/** The one way from an event to a sink. What the table of fields does not have goes nowhere. */
export function recordEvent({ organisation, settings }: EventOrigin, event: SkillEvent): EventRecord {
  const masked = settings.events.names === 'masked';
  const values: Readonly<Record<string, string | number | boolean | null>> = event;
  const texts: Record<string, string | null> = {};
  const numbers: Record<string, number | boolean | null> = {};
  for (const [field, holds] of Object.entries(EVENT_FIELDS[event.kind])) {
    const value = values[field] ?? null;
    if (holds === 'number' || holds === 'flag') numbers[field] = typeof value === 'string' ? null : value;
    else if (typeof value !== 'string') texts[field] = null;
    else if (holds === 'word') texts[field] = value;
    else if (!masked) texts[field] = printable(value);
    else texts[field] = holds === 'layer' ? layerKind(value) : MASKED;
  }
  return { event: event.kind, organisation, texts, numbers };
}

/** Cut before, since escaping takes time, and after, since it makes a text longer. */
function printable(text: string): string {
  const { textCharacters } = EVENT_LIMITS;
  return visibleCharacters(text.slice(0, textCharacters)).slice(0, textCharacters).toWellFormed();
}
