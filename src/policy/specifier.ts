import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { ruleInvalid } from './rule-invalid.ts';
import { farWords, namedFarWords, namesFarWords } from './far-options.ts';
import { readAct, type WantedAct } from './same-act.ts';
import { foldCommand, lowerName } from './powershell.ts';
import { shellWords } from './shell-words.ts';
import { normalName, normalPath } from './tool-call.ts';
import type { SpecifierKind } from './tool-kind.ts';
import { compileWildcard, type TextMatcher, type WildcardMode, wildcardsMeet } from './wildcard.ts';

/** What stands between a rule's parentheses. */
export interface Specifier {
  /** In the spelling in which calls are read, without the mark of a prefix. */
  readonly text: string;
  /** A prefix: `git diff:*` or `git diff *`. */
  readonly open: boolean;
  /** Everything it matches, as texts with `*`. */
  readonly sources: readonly string[];
  readonly matches: TextMatcher;
  /** The same for a rule that allows: of a command, only with options that reach further if it names them. */
  readonly permits: TextMatcher;
  /** Of a command without wildcards but for its end: what it does, for rules that restrict. */
  readonly wanted: WantedAct | null;
}

/** A command with wildcards is compared as it stands, so it may hold only what every quoting spells the same. */
const PLAIN_COMMAND_TEXT = /^[A-Za-z0-9_ ./:=@%+,~*-]+$/;
const DOMAIN = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
const PREFIX_MARK = /(?::|\s)\*$/;

/** Reads a specifier for its kind of tool. Errors: `rule_invalid`. */
export function parseSpecifier(written: string, kind: SpecifierKind): Result<Specifier> {
  switch (kind) {
    case 'name':
      return parseName(written);
    case 'command':
      return parseCommand(written);
    case 'cmdlet':
      return parseCmdlet(written);
    case 'path':
      return parsePath(written);
    case 'domain':
      return parseDomain(written);
    case 'text':
      return parseText(written);
    case 'none':
      return invalid(
        `"${written}" stands behind a tool that takes no specifier`,
        'Write the name of the tool alone.',
      );
  }
}

/** Whether some call could match both. Never a false no; at worst a false yes for paths. */
export function specifiersMeet(left: Specifier, right: Specifier): boolean {
  return (
    left.matches(right.text) ||
    right.matches(left.text) ||
    left.sources.some((one) => right.sources.some((other) => wildcardsMeet(one, other)))
  );
}

/**
 * `name`, `name:*` or `name *`, with arguments after a space. The name alone means the skill whatever its arguments: a
 * deny that an argument could escape would be none. `name:*` also means the names below it, `name:other`, `name/other`.
 */
function parseName(written: string): Result<Specifier> {
  const { text, open } = withoutMark(normalName(written));
  if (text === '') return invalid('a prefix of nothing', 'Write the tool alone to mean all of it.');
  const [name, args] = splitName(text);
  if (name === '') return invalid(`"${written}" has no name`, 'Write Skill(name) or Skill(name:*).');
  const names = open && args === null ? [name, `${name}:*`, `${name}/*`] : [name];
  const argTexts = args === null ? null : open ? [args, `${args} *`] : [args];
  const matchesName = anyOf(names, 'text');
  const matchesArgs = argTexts === null ? () => true : anyOf(argTexts, 'text');
  // Apart, so that a wildcard in the name never reaches into the arguments.
  const matches: TextMatcher = (reading) => {
    const [itsName, itsArgs] = splitName(reading);
    return matchesName(itsName) && matchesArgs(itsArgs ?? '');
  };
  const endings = argTexts === null ? ['', ' *'] : argTexts.map((ending) => ` ${ending}`);
  return ok({
    text,
    open,
    wanted: null,
    sources: names.flatMap((start) => endings.map((ending) => start + ending)),
    matches,
    permits: matches,
  });
}

/** At the first space that is not escaped. */
function splitName(text: string): [name: string, args: string | null] {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ' ') return [text.slice(0, at), text.slice(at + 1)];
  }
  return [text, null];
}

/** One simple command, exact, as a prefix, or with `*` anywhere. */
function parseCommand(written: string): Result<Specifier> {
  const { text, open } = withoutMark(written);
  const hint =
    'Write one simple command, such as Bash(git diff:*); each part of a longer one is judged alone.';
  if (text.includes(':*')) return invalid(`":*" stands only at the end, not in "${written}"`, hint);
  if (text.includes('*')) {
    if (!PLAIN_COMMAND_TEXT.test(text)) {
      return invalid(`"${written}" has a wildcard beside quotes or operators`, hint);
    }
    const spaced = textSpecifier(text.split(/ +/).join(' '), open);
    const matches: TextMatcher = (reading) => spaced.matches(hideQuotedSpaces(reading));
    return ok({ ...withinReach({ ...spaced, matches }), wanted: unfinishedAct(spaced.text) });
  }
  const commands = shellWords(text);
  const [words] = commands ?? [];
  if (words === undefined || commands?.length !== 1) {
    return invalid(`"${written}" is not one simple command`, hint);
  }
  const command = words.join(' ');
  return ok({ ...withinReach(textSpecifier(command, open)), wanted: { act: readAct(command), open } });
}

/** A command of PowerShell: allowed in any case of its name, restricted also under its other names and in any case. */
function parseCmdlet(written: string): Result<Specifier> {
  const { text, open } = withoutMark(written);
  const mark = open ? ':*' : '';
  const exact = parseCommand(lowerName(text) + mark);
  const folded = parseCommand(foldCommand(text) + mark);
  if (!exact.ok) return exact;
  if (!folded.ok) return folded;
  const { matches, wanted } = folded.value;
  return ok({
    ...exact.value,
    wanted,
    matches: (reading) => matches(foldCommand(reading)),
    permits: (reading) => exact.value.permits(lowerName(reading)),
  });
}

function withinReach(specifier: Specifier): Specifier {
  const named = namedFarWords(specifier.text);
  const permits: TextMatcher = (reading) =>
    specifier.matches(reading) && namesFarWords(named, farWords(reading));
  return { ...specifier, permits };
}

/** `git push*` is an act as well; a command with a wildcard anywhere else is only text. */
function unfinishedAct(text: string): WantedAct | null {
  const [beginning = '', ...more] = text.split('*');
  if (more.length !== 1 || more[0] !== '' || !/ [^ ]/.test(beginning)) return null;
  return { act: readAct(beginning), open: true, unfinished: true };
}

/** A quoted space is no end of a word, so no space of a pattern may stand for it: it is read as one that no input has. */
function hideQuotedSpaces(command: string): string {
  return command.replaceAll(/\\./g, (pair) => (pair === '\\ ' ? '\\\u00a0' : pair));
}

function parsePath(written: string): Result<Specifier> {
  if (written.endsWith(':*'))
    return invalid(`"${written}" has ":*" in a path`, 'Write a folder as folder/**.');
  const path = normalPath(written);
  if (path === null || path === '') {
    return invalid(
      `"${written}" is not a plain path`,
      'Write it without "..", backslashes and control characters.',
    );
  }
  const matches = compileWildcard(path, 'path');
  return ok({ ...textSpecifier(path, false), matches, permits: matches });
}

function parseDomain(written: string): Result<Specifier> {
  const domain = written.startsWith('domain:') ? written.slice('domain:'.length).trim().toLowerCase() : '';
  if (!DOMAIN.test(domain)) {
    return invalid(
      `"${written}" is not a domain`,
      'Write domain:example.org or domain:*.example.org, in ASCII.',
    );
  }
  return ok(textSpecifier(domain, false));
}

function parseText(written: string): Result<Specifier> {
  const { text, open } = withoutMark(written);
  if (text === '') return invalid('a prefix of nothing', 'Write the tool alone to mean all of it.');
  return ok(textSpecifier(text, open));
}

/** A prefix ends where a word ends: `git diff` goes on as `git diff x`, never as `git difftool`. */
function textSpecifier(text: string, open: boolean): Specifier {
  const sources = open ? [text, `${text} *`] : [text];
  const matches = anyOf(sources, 'text');
  return { text, open, sources, matches, permits: matches, wanted: null };
}

function withoutMark(written: string): { text: string; open: boolean } {
  const open = PREFIX_MARK.test(written);
  return { text: open ? written.slice(0, -2).trim() : written, open };
}

function anyOf(sources: readonly string[], mode: WildcardMode): TextMatcher {
  const matchers = sources.map((source) => compileWildcard(source, mode));
  return (text) => matchers.some((matches) => matches(text));
}

function invalid(detail: string, hint: string): Result<never, Problem> {
  return fail(ruleInvalid(detail, hint));
}
