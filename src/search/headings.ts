import { SEARCH_LIMITS } from '../core/limits.ts';

const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+)$/;

/** The headings of a Markdown body, outside of fences. */
export function headingsOf(body: string): string {
  const headings: string[] = [];
  let fenced = false;
  for (const line of body.split('\n')) {
    if (headings.length >= SEARCH_LIMITS.headings) break;
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced && line.length <= SEARCH_LIMITS.headingCharacters) {
      const heading = HEADING.exec(line)?.[1];
      if (heading !== undefined) headings.push(heading);
    }
  }
  return headings.join('\n');
}
