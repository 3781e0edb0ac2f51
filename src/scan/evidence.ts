import { SCAN_LIMITS } from '../core/limits.ts';
import { visibleCharacters } from '../core/visible-characters.ts';

/** Beginnings that only secrets have, and what follows them. */
const SECRET =
  /\b(?:sk-(?:ant-|proj-)?|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|ASIA|AIza|npm_|hf_|eyJ|[sr]k_live_|SG\.)[\w.+/=-]{8,}/g;

/** The text around a match in one line, cut, without secrets. */
export function evidenceOf(text: string, start: number, end: number, secret: boolean): string {
  const room = SCAN_LIMITS.evidenceCharacters;
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - room / 4);
  const lineEnd = text.indexOf('\n', end);
  const until = Math.min(lineEnd === -1 ? text.length : lineEnd, lineStart + room);
  const before = text.slice(lineStart, start);
  const match = secret
    ? masked(text.slice(start, end))
    : text.slice(start, Math.min(end, Math.max(until, start + room / 2)));
  const behind = end < until ? text.slice(end, until) : '';
  const line = `${before}${match}${behind}`.replaceAll(SECRET, masked).replaceAll(/\s+/g, ' ').trim();
  return visibleCharacters(line.toWellFormed())
    .slice(0, 2 * room)
    .toWellFormed();
}

/** Enough of a secret to find it by, and not to use it. */
function masked(secret: string): string {
  return `${secret.slice(0, Math.min(4, secret.length / 4))}…(${secret.length} characters)`;
}
