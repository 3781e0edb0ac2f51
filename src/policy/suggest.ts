import { POLICY_LIMITS } from '../core/limits.ts';
import { farWords } from './far-options.ts';
import { coverOf, type Pattern, parsePattern } from './pattern.ts';
import type { PolicyRule } from './rule.ts';
import type { Subject } from './subject.ts';
import { escapeName, normalName, type ReadCall } from './tool-call.ts';
import { specifierKind } from './tool-kind.ts';

/** A rule that would allow this next time, ready to be stored; `rule.layer` says where. */
export interface Suggestion {
  readonly kind: 'exact' | 'prefix';
  readonly rule: PolicyRule;
}

/** A compound command needs one rule for each of its parts; nobody reads more than a few. */
const MOST_PARTS = 4;
const SUBCOMMAND = /^[a-z][a-z0-9-]*$/;
const COMMAND_WORDS = /^(?:[^\\ ]|\\.)+(?: (?:[^\\ ]|\\.)+)?/;

/**
 * Rules to choose from when the answer is to ask. Each is offered only if it can be written as a pattern that means
 * exactly this, so nothing is offered for a command that was not understood. For a compound command there is one exact
 * rule for each part that `allowed` does not cover yet.
 */
export function suggest(subject: Subject, call: ReadCall, allowed: readonly Pattern[]): Suggestion[] {
  if (subject.kind === 'skill') {
    const name = normalName(escapeName(subject.name));
    return [...exact('Skill', name), ...prefix('Skill', name)];
  }
  const { tool } = subject;
  if (specifierKind(tool) === 'none') return [...offer('exact', tool, null)];
  const missing = (call.parts ?? []).filter(
    (spellings) => coverOf(allowed, { ...call, parts: [spellings] }) === null,
  );
  const texts = missing.flatMap(([text]) => (text === undefined ? [] : [text])).slice(0, MOST_PARTS);
  if (specifierKind(tool) === 'domain') return texts.flatMap((host) => exact(tool, `domain:${host}`));
  const exacts = texts.flatMap((text) => exact(tool, text));
  const [only = ''] = texts;
  // No prefix allows an option that it does not name.
  const kind = specifierKind(tool);
  const isCommand = kind === 'command' || kind === 'cmdlet';
  const simple = isCommand && call.parts?.length === 1 && farWords(only).length === 0;
  return simple ? [...exacts, ...prefix(tool, commandPrefix(only))] : exacts;
}

/** `git diff` of `git diff --stat`, `ls` of `ls -la`: the second word only where it looks like a subcommand. */
function commandPrefix(command: string): string {
  const [words = ''] = COMMAND_WORDS.exec(command) ?? [];
  const space = words.indexOf(' ');
  if (space < 0 || SUBCOMMAND.test(words.slice(space + 1))) return words;
  return words.slice(0, space);
}

function exact(tool: string, specifier: string): Suggestion[] {
  return offer('exact', tool, specifier);
}

function prefix(tool: string, specifier: string): Suggestion[] {
  return offer('prefix', tool, specifier);
}

function offer(kind: Suggestion['kind'], tool: string, specifier: string | null): Suggestion[] {
  const mark = kind === 'prefix' ? ':*' : '';
  const pattern = specifier === null ? tool : `${tool}(${specifier}${mark})`;
  const parsed = parsePattern(pattern);
  if (!parsed.ok || pattern.length > POLICY_LIMITS.ruleCharacters) return [];
  const read = parsed.value.specifier;
  const meant =
    specifier === null
      ? parsed.value.tool === tool && !tool.includes('*')
      : read !== null &&
        read.open === (kind === 'prefix') &&
        !read.text.includes('*') &&
        read.matches(specifier.replace(/^domain:/, ''));
  return meant ? [{ kind, rule: { effect: 'allow', pattern, layer: 'organisation' } }] : [];
}
