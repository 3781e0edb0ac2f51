import { isSkillUrl, readSkillUrl } from '../catalog/skill-url.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import type { Mention } from './mention.ts';

/** Each alternative reads a character at most once, so that a text of any kind takes linear time. */
const MENTION =
  /\[\$(?<linked>[A-Za-z0-9_:-]+)\]\((?<target>[^\s()]*)\)|(?<url>skill:\/\/[^\s"'`<>()[\]{}|\\^]+)|\$(?<bare>[A-Za-z0-9_:-]+)/gi;

/** Names that Codex takes for variables of the environment, in any case. */
const VARIABLES: ReadonlySet<string> = new Set(
  'PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME'.split(' '),
);
/** `$5k` and `$10usd` are sums of money. */
const AMOUNT = /^\d[\d_]*[a-z]{0,3}$/i;
/** A mention that begins behind one of these is a part of a word, an expression or escaped. */
const JOINED_BEFORE = /[\p{L}\p{N}\p{M}_$\\]$/u;
/** And what follows a name where it is a path, a call or an assignment: `$dir/x`, `$object.member`, `$list[0]`. */
const JOINED_AFTER = /^(?:[\p{L}\p{N}\p{M}_/\\([{=$]|\.[\p{L}\p{N}_])/u;
/** Marks of the sentence around a URL, which may stand in one. */
const SENTENCE_MARKS = new Set('.,;:!?*_~');
const SKILL_FILE = /(?:^|[/\\])SKILL\.md$/i;

/** Every `$name`, `[$name](path)` and `skill://name/path` of a text, in its order. */
export function* textMentions(text: string): Generator<Mention> {
  for (const match of text.matchAll(MENTION)) {
    const start = match.index;
    const { linked, target, url, bare } = match.groups ?? {};
    const mention =
      bare !== undefined
        ? dollarMention(text, start, bare)
        : url !== undefined
          ? urlMention(text, start, url)
          : linkMention(start, match[0].length, linked ?? '', target ?? '');
    if (mention) yield mention;
  }
}

function dollarMention(text: string, start: number, run: string): Mention | null {
  if (isJoined(text, start, start + 1 + run.length)) return null;
  // The colon of a sentence is not part of a name, nor is a dash behind one.
  const name = withoutTail(run, (character) => character === ':' || character === '-');
  if (!isName(name)) return null;
  return { start, end: start + 1 + name.length, syntax: 'dollar', name, path: null, args: null };
}

/** A link names what it points to. One that points elsewhere names no skill, whatever its text says. */
function linkMention(start: number, length: number, name: string, target: string): Mention | null {
  const place = { start, end: start + length, syntax: 'link' as const, args: null };
  if (isSkillUrl(target)) {
    const { name: pointed = null, path = null } = readSkillUrl(target) ?? {};
    return { ...place, name: pointed, path };
  }
  return SKILL_FILE.test(target) && isName(name) ? { ...place, name, path: null } : null;
}

function urlMention(text: string, start: number, run: string): Mention | null {
  if (JOINED_BEFORE.test(text.slice(Math.max(0, start - 2), start))) return null;
  const url = withoutTail(run, (character) => SENTENCE_MARKS.has(character));
  const { name = null, path = null } = readSkillUrl(url) ?? {};
  return { start, end: start + url.length, syntax: 'url', name, path, args: null };
}

/** Not a variable, not a sum, and no longer than any name. Words without a small letter are variables to everybody. */
function isName(name: string): boolean {
  return (
    name.length <= SKILL_LIMITS.commandNameCharacters &&
    /[a-z]/.test(name) &&
    !VARIABLES.has(name.toUpperCase()) &&
    !AMOUNT.test(name)
  );
}

function isJoined(text: string, start: number, end: number): boolean {
  return (
    JOINED_BEFORE.test(text.slice(Math.max(0, start - 2), start)) ||
    JOINED_AFTER.test(text.slice(end, end + 3))
  );
}

function withoutTail(text: string, isTail: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isTail(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
