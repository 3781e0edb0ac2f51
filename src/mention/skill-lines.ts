import { isSkillUrl, readSkillUrl } from '../catalog/skill-url.ts';
import type { Mention } from './mention.ts';

const SKILL = 'Skill:';
const USER = 'User:';

interface Line {
  readonly start: number;
  readonly text: string;
}

/**
 * Lines `Skill: name`, `Skill: .../name/SKILL.md` and `Skill: skill://name`, each perhaps with a line `User: arguments` under
 * it, which go on to the next such line or to the end of the text.
 */
export function skillLines(text: string): Mention[] {
  const lines = linesOf(text);
  const places = lines.flatMap((line, index) => {
    const named = line.text.startsWith(SKILL) ? readValue(line.text.slice(SKILL.length).trim()) : null;
    return named ? [{ line, index, named }] : [];
  });
  return places.map(({ line, index, named }, at): Mention => {
    const user = lines[index + 1];
    const next = places[at + 1]?.line.start ?? text.length;
    const args =
      user?.text.startsWith(USER) === true ? text.slice(user.start + USER.length, next).trim() : null;
    const end = line.start + line.text.trimEnd().length;
    return { start: line.start, end, syntax: 'skill-line', ...named, args };
  });
}

/** Null for a line of prose that only begins with the word. */
function readValue(value: string): Pick<Mention, 'name' | 'path'> | null {
  if (isSkillUrl(value)) return readSkillUrl(value) ?? { name: null, path: null };
  // A path of the host ends with the skill's folder and its SKILL.md.
  const [file = '', folder = ''] = value.split(/[/\\]/).toReversed();
  if (file.toUpperCase() === 'SKILL.MD' && folder !== '') return { name: folder, path: null };
  return value === '' || /\s/.test(value) ? null : { name: value, path: null };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    lines.push({ start, text: text.slice(start, end) });
    start = end + 1;
  }
  return lines;
}
