/** What a `$` in a body can stand for. `end` is the offset after the placeholder. */
export type Placeholder =
  | { readonly kind: 'variable'; readonly value: string; readonly end: number }
  /** `$ARGUMENTS`: the whole line as it was typed. */
  | { readonly kind: 'line'; readonly end: number }
  /** `$2` and `$ARGUMENTS[2]`, counted from 0: verbatim where there is no such argument. */
  | { readonly kind: 'indexed'; readonly position: number; readonly end: number }
  /** `$name`: empty where there is no such argument. */
  | { readonly kind: 'named'; readonly position: number; readonly end: number };

type Target = { readonly variable: string } | { readonly position: number };

/** A letter tree: one walk finds the longest of any number of names, so hostile declarations cannot make it slow. */
interface Branch {
  readonly next: Map<string, Branch>;
  target: Target | null;
}

const WHOLE_LINE = 'ARGUMENTS';
const WORD = /\w/;
const ONLY_DIGITS = /^\d*$/;

/**
 * Reads placeholders of one skill. Names that are empty or only digits declare nothing, since `$1` is taken; they keep
 * their position. Of two equal names the first counts. A declared name goes before `$ARGUMENTS`.
 */
export function placeholderReader(
  argumentNames: readonly string[],
  variables: Readonly<Record<string, string>>,
): (body: string, dollar: number) => Placeholder | null {
  const root: Branch = { next: new Map(), target: null };
  for (const [name, value] of Object.entries(variables)) plant(root, `{${name}}`, { variable: value });
  for (const [position, name] of argumentNames.entries()) {
    if (!ONLY_DIGITS.test(name)) plant(root, name, { position });
  }
  return (body, dollar) => declared(root, body, dollar + 1) ?? builtIn(body, dollar + 1);
}

function plant(root: Branch, key: string, target: Target): void {
  let branch = root;
  for (let at = 0; at < key.length; at += 1) {
    const unit = key.charAt(at);
    const next: Branch = branch.next.get(unit) ?? { next: new Map(), target: null };
    branch.next.set(unit, next);
    branch = next;
  }
  branch.target ??= target;
}

function declared(root: Branch, body: string, start: number): Placeholder | null {
  let longest: Placeholder | null = null;
  let branch = root.next.get(body.charAt(start));
  for (let end = start + 1; branch !== undefined; end += 1) {
    const { target } = branch;
    if (target !== null) {
      if ('variable' in target) longest = { kind: 'variable', value: target.variable, end };
      else if (endsName(body, end)) longest = { kind: 'named', position: target.position, end };
    }
    branch = branch.next.get(body.charAt(end));
  }
  return longest;
}

function builtIn(body: string, start: number): Placeholder | null {
  if (body.startsWith(WHOLE_LINE, start)) {
    const end = start + WHOLE_LINE.length;
    const close = afterDigits(body, end + 1);
    const indexed = body.charAt(end) === '[' && close > end + 1 && body.charAt(close) === ']';
    if (!indexed) return { kind: 'line', end };
    return { kind: 'indexed', position: Number(body.slice(end + 1, close)), end: close + 1 };
  }
  const end = afterDigits(body, start);
  if (end === start || WORD.test(body.charAt(end))) return null;
  return { kind: 'indexed', position: Number(body.slice(start, end)), end };
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
  const next = body.charAt(at);
  return next !== '[' && !WORD.test(next);
}
