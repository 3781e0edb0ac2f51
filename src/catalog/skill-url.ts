import { isPlainText } from '../core/plain-text.ts';

/** Where a `skill://NAME/PATH` points: a name (perhaps `layer/name`), and a path inside the skill; null for its SKILL.md. */
export interface SkillUrl {
  readonly name: string;
  readonly path: string | null;
}

const SCHEME = /^skill:\/\//i;
/** What a path could leave its skill by, once it is decoded: another separator, or a step up. */
const ESCAPES = /[/\\]|^\.{1,2}$/;

export function isSkillUrl(text: string): boolean {
  return SCHEME.test(text);
}

/**
 * Reads `skill://NAME` and `skill://NAME/PATH`, percent-decoded; null for what is not one, or could point outside of its
 * skill: absolute paths, steps up, separators that only appear when decoded, control characters.
 */
export function readSkillUrl(url: string): SkillUrl | null {
  if (!isSkillUrl(url)) return null;
  const [name, ...segments] = url.replace(SCHEME, '').split('/').map(decoded);
  if (name === null || name === undefined || name === '' || name.includes('\\')) return null;
  // `skill://name/` is the skill itself.
  if (segments.length === 0 || (segments.length === 1 && segments[0] === '')) return { name, path: null };
  const path = segments.filter((segment) => segment !== null && segment !== '' && !ESCAPES.test(segment));
  return path.length === segments.length ? { name, path: path.join('/') } : null;
}

/** The URL of a skill, or of a file of it, as `readSkillUrl` reads it. */
export function skillUrl(name: string, path: string | null = null): string {
  const segments = path === null ? [] : path.split('/');
  return `skill://${[name, ...segments].map(encodeURIComponent).join('/')}`;
}

function decoded(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    return isPlainText(text) ? text : null;
  } catch {
    return null;
  }
}
