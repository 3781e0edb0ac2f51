import type { Layout } from './layout.ts';
import type { Measure } from './measure.ts';
import { nameInList } from './visible-text.ts';

/**
 * One line about names that an earlier listing had and that are not there any more: as many as `room` has place for, and
 * how many more. Null where there are none, or no place for one.
 */
export function goneLine(
  names: readonly string[],
  room: number,
  { gone, escape }: Layout,
  measure: Measure,
): string | null {
  const visible = names.map((name) => (escape === null ? nameInList(name) : escape(nameInList(name))));
  const lineOf = (shown: number): string => {
    const more = visible.length - shown;
    const rest = more === 0 ? '' : ` and ${more} more`;
    return `${gone[0]}No longer available: ${visible.slice(0, shown).join(', ')}${rest}.${gone[1]}`;
  };
  let left = room;
  let shown = 0;
  for (const name of visible) {
    left -= measure.size(name);
    if (left < 0) break;
    shown += 1;
  }
  // What stands around the names takes the place of a few of them.
  while (shown > 0 && measure.size(lineOf(shown)) > room) shown -= 1;
  return shown === 0 ? null : lineOf(shown);
}
