import { PROMPT_LIMITS } from '../core/limits.ts';

/** What a `$` in a body can stand for. `end` is the offset after the placeholder. */
export type Placeholder =
  | { readonly kind: 'variable'; readonly value: string; readonly end: number }
  /** `$ARGUMENTS`: the whole line as it was typed. */
  | { readonly kind: 'line'; readonly end: number }
  /** `$ARGUMENTS[2]`, counted from 0, and `$2`, which is `bare`. */
  | { readonly kind: 'indexed'; readonly position: number; readonly bare: boolean; readonly end: number }
  /** `$name`: empty where there is no such argument. */
  | { readonly kind: 'named'; readonly position: number; readonly end: number };

export type PlaceholderReader = (body: string, at: number) => Placeholder | null;

type Target = { readonly variable: string } | { readonly position: number };

/** A letter tree: one walk finds the longest of any number of names, so hostile declarations cannot make it slow. */
interface Branch {
  readonly next: Map<number, Branch>;
  target: Target | null;
}

const WHOLE_LINE = 'ARGUMENTS';
const DOLLAR = 0x24;
const CAPITAL_A = 0x41;
const BRACKET = 0x5b;
const UNDERSCORE = 0x5f;
const ONLY_DIGITS = /^\d*$/;

/**
 * Reads placeholders of one skill. Names that are empty or only digits declare nothing, since `$1` is taken; they keep
 * their position. Of two equal names the first counts. A declared name goes before `$ARGUMENTS`. A name with a `$` in it,
 * or a very long one, declares nothing either, so that reading a body stays linear whatever is declared.
 */
export function placeholderReader(
  argumentNames: readonly string[],
  variables: Readonly<Record<string, string>>,
): PlaceholderReader {
  // Most bodies have no `$` at all.
  let root: Branch | null = null;
  return (body, dollar) => {
    root ??= letterTree(argumentNames, variables);
    const first = body.charCodeAt(dollar + 1);
    const branch = first === DOLLAR ? undefined : root.next.get(first);
    const longest = branch === undefined ? null : declared(branch, body, dollar + 2);
    return longest ?? (first === CAPITAL_A || isDigit(first) ? builtIn(body, dollar + 1) : null);
  };
}

function letterTree(argumentNames: readonly string[], variables: Readonly<Record<string, string>>): Branch {
  const root: Branch = { next: new Map(), target: null };
  for (const [name, value] of Object.entries(variables)) plant(root, `{${name}}`, { variable: value });
  for (const [position, name] of argumentNames.entries()) {
    if (!ONLY_DIGITS.test(name)) plant(root, name, { position });
  }
  return root;
}

function plant(root: Branch, key: string, target: Target): void {
  if (key.includes('$') || key.length > PROMPT_LIMITS.nameCharacters) return;
  let branch = root;
  for (let at = 0; at < key.length; at += 1) {
    const unit = key.charCodeAt(at);
    const next: Branch = branch.next.get(unit) ?? { next: new Map(), target: null };
    branch.next.set(unit, next);
    branch = next;
  }
  branch.target ??= target;
}

function declared(first: Branch, body: string, start: number): Placeholder | null {
  let longest: Placeholder | null = null;
  let branch: Branch | undefined = first;
  for (let end = start; branch !== undefined; end += 1) {
    const { target } = branch;
    if (target !== null) {
      if ('variable' in target) longest = { kind: 'variable', value: target.variable, end };
      else if (endsName(body, end)) longest = { kind: 'named', position: target.position, end };
    }
    branch = branch.next.get(body.charCodeAt(end));
  }
  return longest;
}

function builtIn(body: string, start: number): Placeholder | null {
  if (body.startsWith(WHOLE_LINE, start)) {
    const end = start + WHOLE_LINE.length;
    const close = afterDigits(body, end + 1);
    const indexed = body.charAt(end) === '[' && close > end + 1 && body.charAt(close) === ']';
    if (!indexed) return { kind: 'line', end };
    return { kind: 'indexed', position: Number(body.slice(end + 1, close)), bare: false, end: close + 1 };
  }
  const end = afterDigits(body, start);
  if (end === start || isWord(body.charCodeAt(end))) return null;
  return { kind: 'indexed', position: Number(body.slice(start, end)), bare: true, end };
}

function afterDigits(body: string, start: number): number {
  let at = start;
  while (isDigit(body.charCodeAt(at))) at += 1;
  return at;
}

/** ASCII only. NaN, past the end, is none. */
export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function endsName(body: string, at: number): boolean {
  const next = body.charCodeAt(at);
  return next !== BRACKET && !isWord(next);
}

/** What `\w` matches. */
function isWord(unit: number): boolean {
  const letter = unit | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || isDigit(unit) || unit === UNDERSCORE;
}
