import { ArgumentValues } from './argument-values.ts';
import { codeRanges } from './code-ranges.ts';
import { ExpandedText, type Substitution } from './expanded-text.ts';
import { EXPANSION_RULES, type ExpansionMode, type ExpansionRules } from './expansion-mode.ts';
import { isDigit, placeholderReader, type Placeholder } from './placeholders.ts';

export type { Substitution };

/** What fills in a body. */
export interface ExpansionInput {
  readonly mode: ExpansionMode;
  readonly arguments: string | undefined;
  readonly argumentNames: readonly string[];
  /** How many arguments the author spoke of; `$1` in code is a placeholder only where it is one of these. */
  readonly declaredArguments: number;
  /** `${NAME}`, by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** `{baseDir}`. */
  readonly baseDirectory: string;
}

/** A text that takes the place of a part of the body: what a command gave, or that it was not run. In order, apart. */
export interface Insertion {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly source: 'command' | 'marker';
  /** What the arguments were used for is said, so they are not added at the end. */
  readonly usesArguments: boolean;
}

export interface Expansion {
  readonly text: string;
  /** In the order of the text. A reader of `text` must not obey syntax that begins inside one of these. */
  readonly substitutions: readonly Substitution[];
  /** False if a bound on what is filled in was met: everything after that is as its author wrote it. */
  readonly complete: boolean;
}

export const BASE_DIRECTORY = '{baseDir}';
const DOLLAR = 0x24;
const BRACE = 0x7b;
const BACKSLASH = 0x5c;

/**
 * Fills in a skill's body. One pass: what was inserted is never read again, so an argument can say `$0`, `$&` or
 * `${CLAUDE_SKILL_DIR}` and means just that, and so can the output of a command.
 *
 * `$ARGUMENTS` is the raw line; `$0` and `$ARGUMENTS[0]` the words of it, verbatim where there is none; `$name` a declared
 * argument, empty where there is none; `${NAME}` a variable, verbatim if unknown. Exactly one backslash before an argument
 * placeholder keeps it literal and disappears; two or more are ordinary text. No arguments and empty ones are the same:
 * `$ARGUMENTS` is then empty. Arguments that no placeholder took are added at the end. `$1` in code, and `$1.50`, are
 * placeholders only where the author spoke of that argument. The modes of Claude Code differ as `EXPANSION_RULES` says.
 */
export function expandPrompt(
  body: string,
  input: ExpansionInput,
  insertions: readonly Insertion[] = [],
): Expansion {
  const pass = new Pass(body, input, true);
  let from = 0;
  for (const insertion of insertions) {
    pass.fill(from, insertion.start);
    pass.put(insertion);
    from = insertion.end;
  }
  pass.fill(from, body.length);
  return pass.end(true);
}

/** Fills in a part of a body that is code through and through, such as a step: its `$1` are placeholders. */
export function expandCode(code: string, input: ExpansionInput): string {
  const pass = new Pass(code, input, false);
  pass.fill(0, code.length);
  return pass.end(false).text;
}

class Pass {
  readonly #body: string;
  readonly #input: ExpansionInput;
  readonly #rules: ExpansionRules;
  readonly #read: ReturnType<typeof placeholderReader>;
  readonly #values: ArgumentValues;
  readonly #result: ExpandedText;
  readonly #inCode: (offset: number) => boolean;
  readonly #sparesCode: boolean;
  /** Most bodies have none, and need not be read. */
  readonly #hasPlaceholders: boolean;
  #complete = true;
  #argumentsUsed = false;

  constructor(body: string, input: ExpansionInput, sparesCode: boolean) {
    this.#body = body;
    this.#input = input;
    this.#rules = EXPANSION_RULES[input.mode];
    this.#read = placeholderReader(input.argumentNames, input.variables);
    this.#values = new ArgumentValues(input.arguments, this.#rules, input.argumentNames.length, this.#read);
    this.#result = new ExpandedText(body);
    this.#inCode = codeReader(body);
    this.#hasPlaceholders = body.includes('$') || body.includes('{');
    this.#sparesCode = sparesCode && this.#rules.sparesCode;
  }

  /** Fills in the placeholders that lie in `from` to `to`. */
  fill(from: number, to: number): void {
    if (!this.#hasPlaceholders) return;
    // A plain loop: hostile bodies are dollars from end to end, and a search for each would cost more than it finds.
    for (let at = from; at < to && this.#complete;) {
      const unit = this.#body.charCodeAt(at);
      if (unit === DOLLAR && this.#body.charCodeAt(at + 1) !== DOLLAR) at = this.#fillDollar(at, to);
      else if (unit === BRACE) at = this.#fillBrace(at, to);
      else at += 1;
    }
  }

  put({ start, end, text, source, usesArguments }: Insertion): void {
    this.#argumentsUsed ||= usesArguments;
    this.#replace(start, end, text, source);
  }

  end(addUnused: boolean): Expansion {
    const { line } = this.#values;
    this.#result.skip(this.#body.length, this.#body.length);
    if (line !== '' && !this.#argumentsUsed && this.#complete && addUnused) {
      this.#result.append('\n\nARGUMENTS: ');
      this.#result.insert('', line, 'arguments');
    }
    const { substitutions } = this.#result;
    return { text: this.#result.toString(), substitutions, complete: this.#complete };
  }

  #fillBrace(brace: number, to: number): number {
    const end = brace + BASE_DIRECTORY.length;
    const isFolder = this.#rules.foreignNames && end <= to && this.#body.startsWith(BASE_DIRECTORY, brace);
    // `${baseDir}` is a template of some language.
    if (!isFolder || this.#body.charCodeAt(brace - 1) === DOLLAR) return brace + 1;
    this.#replace(brace, end, this.#input.baseDirectory, 'variable');
    return end;
  }

  /** Answers where to read on. */
  #fillDollar(dollar: number, to: number): number {
    const found = this.#read(this.#body, dollar);
    if (isEscaped(this.#body, dollar) && isEscapable(this.#body, dollar, found) && this.#values.escapes) {
      if (this.#result.hasRoomFor('')) this.#result.skip(dollar - 1, dollar);
      else this.#complete = false;
      return dollar + 1;
    }
    if (found === null || found.end > to) return dollar + 1;
    if (found.kind === 'variable') {
      this.#replace(dollar, found.end, found.value, 'variable');
      return found.end;
    }
    const value = this.#values.valueOf(found);
    if (value === null || this.#isSpared(found, dollar)) return found.end;
    this.#argumentsUsed = true;
    this.#replace(dollar, found.end, value, 'arguments');
    return found.end;
  }

  #replace(start: number, end: number, value: string, source: Substitution['source']): void {
    if (this.#complete && this.#result.hasRoomFor(value)) this.#result.replace(start, end, value, source);
    else this.#complete = false;
  }

  #isSpared(found: Placeholder, dollar: number): boolean {
    if (!this.#sparesCode || found.kind !== 'indexed' || !found.bare) return false;
    if (found.position < this.#input.declaredArguments) return false;
    return isMoney(this.#body, found.end) || this.#inCode(dollar);
  }
}

/** Asked with offsets that only grow. The body is read once somebody asks. */
function codeReader(body: string): (offset: number) => boolean {
  let ranges: ReturnType<typeof codeRanges> | null = null;
  let at = 0;
  return (offset) => {
    ranges ??= codeRanges(body);
    while ((ranges[at]?.end ?? Infinity) <= offset) at += 1;
    return (ranges[at]?.start ?? Infinity) <= offset;
  };
}

function isMoney(body: string, end: number): boolean {
  const mark = body.charAt(end);
  return (mark === '.' || mark === ',') && isDigit(body.charCodeAt(end + 1));
}

function isEscaped(body: string, dollar: number): boolean {
  return body.charCodeAt(dollar - 1) === BACKSLASH && body.charCodeAt(dollar - 2) !== BACKSLASH;
}

/** `\$1st` is an escape, though `$1st` is no placeholder; variables cannot be escaped. */
function isEscapable(body: string, dollar: number, found: Placeholder | null): boolean {
  return found === null ? isDigit(body.charCodeAt(dollar + 1)) : found.kind !== 'variable';
}
