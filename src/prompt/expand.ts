import { PROMPT_LIMITS } from '../core/limits.ts';
import { ExpandedText, type Substitution } from './expanded-text.ts';
import { isDigit, placeholderReader, type Placeholder } from './placeholders.ts';
import { splitArguments } from './split-arguments.ts';

export type { Substitution };

export interface Expansion {
  readonly text: string;
  /** In the order of the text. A reader of `text` must not obey syntax that begins inside one of these. */
  readonly substitutions: readonly Substitution[];
  /** False if the bound on inserted text was met: the placeholders after that are still in the text. */
  readonly complete: boolean;
}

/**
 * Fills in a skill's body, by the rules of today's Claude Code. One pass: what was inserted is never read again, so an
 * argument can say `$0`, `$&` or `${CLAUDE_SKILL_DIR}` and means just that.
 *
 * `$ARGUMENTS` is the raw line; `$0` and `$ARGUMENTS[0]` the words of `splitArguments`, verbatim where there is none;
 * `$name` a declared argument, empty where there is none; `${NAME}` a variable, verbatim if unknown. Exactly one
 * backslash before an argument placeholder keeps it literal and disappears; two or more are ordinary text. No arguments
 * and empty ones are the same: `$ARGUMENTS` is then empty. Arguments that no placeholder took are added at the end.
 */
export function expandPrompt(
  body: string,
  input: {
    readonly arguments: string | undefined;
    readonly argumentNames: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    /** False for a part of a body, to which unused arguments are not added. */
    readonly addUnused?: boolean;
  },
): Expansion {
  const line = input.arguments ?? '';
  const read = placeholderReader(input.argumentNames, input.variables);
  const valueOf = valueReader(line);
  const result = new ExpandedText(body);
  let complete = true;
  let argumentsUsed = false;
  let dollar = body.indexOf('$');
  while (dollar !== -1) {
    const found = read(body, dollar);
    let next = dollar + 1;
    if (isEscaped(body, dollar) && isEscapable(body, dollar, found)) {
      result.skip(dollar - 1, dollar);
    } else if (found !== null) {
      next = found.end;
      const value = valueOf(found);
      if (value !== null && result.inserted + value.length > PROMPT_LIMITS.insertedCharacters) {
        complete = false;
      } else if (value !== null) {
        const source = found.kind === 'variable' ? 'variable' : 'arguments';
        argumentsUsed ||= source === 'arguments';
        result.skip(dollar, next);
        result.insert(body.slice(dollar, next), value, source);
      }
    }
    dollar = body.indexOf('$', next);
  }
  result.skip(body.length, body.length);
  if (line !== '' && !argumentsUsed && complete && input.addUnused !== false) {
    result.append('\n\nARGUMENTS: ');
    result.insert('', line, 'arguments');
  }
  return { text: result.toString(), substitutions: result.substitutions, complete };
}

/** The text for a placeholder, or null where it stays. The line is split only once somebody asks for a word of it. */
function valueReader(line: string): (found: Placeholder) => string | null {
  let words: readonly string[] | null = null;
  return (found) => {
    if (found.kind === 'variable') return found.value;
    if (found.kind === 'line') return line;
    words ??= splitArguments(line);
    return words[found.position] ?? (found.kind === 'named' ? '' : null);
  };
}

function isEscaped(body: string, dollar: number): boolean {
  return body.charAt(dollar - 1) === '\\' && body.charAt(dollar - 2) !== '\\';
}

/** `\$1st` is an escape, though `$1st` is no placeholder; variables cannot be escaped. */
function isEscapable(body: string, dollar: number, found: Placeholder | null): boolean {
  return found === null ? isDigit(body.charCodeAt(dollar + 1)) : found.kind !== 'variable';
}
