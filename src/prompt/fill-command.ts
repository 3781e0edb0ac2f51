import { POLICY_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { shellWords } from '../policy/shell-words.ts';
import { simpleCommands } from '../policy/shell.ts';
import { ArgumentValues } from './argument-values.ts';
import { BASE_DIRECTORY, type ExpansionInput } from './expand.ts';
import { EXPANSION_RULES } from './expansion-mode.ts';
import { type Placeholder, placeholderReader } from './placeholders.ts';

type Quote = '' | '"' | "'";

/** Says the same to a shell whether it is quoted or not, and inside of either quotes. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
/** Stands for a value while it is checked that the value changes nothing else; a letter that no command has. */
const STAND_IN = '\ua84e';
const STAND_INS = new RegExp(`${STAND_IN}(\\d+)${STAND_IN}`, 'g');

/**
 * Programs whose arguments can be programs: nothing of ours is put into one of those. With the first kind what comes
 * behind the program are its files and arguments; the second kind has another shell read all of it again.
 */
const INTERPRETERS = /^(?:[gmn]?awk|sed|jq|perl|ruby|python[\d.]*|node|deno|bun|php|lua|pwsh|osascript)$/;
const RELAYS = /^(?:ssh|mosh|tmux|screen)$/;

export interface FilledCommand {
  readonly text: string;
  readonly usesArguments: boolean;
}

/**
 * Fills in the placeholders of one shell command. Arguments are anybody's text, so each becomes literal text of one word
 * (a bare `$ARGUMENTS` becomes its words, one by one) and can neither end that word, nor choose what runs, nor be an
 * option; a command where this cannot be shown is refused, with the reason as the error. To be shown, the command must
 * consist of words, quotes, `&&`, `||`, `;`, `|` and newlines.
 *
 * Variables, which the host gave, are quoted in the same way where they need it. Backslashes are the shell's own, so there
 * are no escapes; and `$1` in single quotes stays, as everywhere in code, unless that argument is declared.
 */
export function fillCommand(
  command: string,
  input: ExpansionInput,
  shell: 'bash' | 'powershell',
): Result<FilledCommand, string> {
  const filling = new Filling(command, input);
  if (!filling.run()) return fail(`it has more than ${POLICY_LIMITS.commandCharacters} characters`);
  const problem = filling.values.length === 0 ? null : problemOf(filling, shell);
  const { text, usesArguments } = filling;
  return problem === null ? ok({ text, usesArguments }) : fail(problem);
}

class Filling {
  /** With the values, and with stand-ins for them. */
  text = '';
  template = '';
  readonly values: string[] = [];
  usesArguments = false;
  readonly #command: string;
  readonly #input: ExpansionInput;
  readonly #arguments: ArgumentValues;
  readonly #read: ReturnType<typeof placeholderReader>;
  #quote: Quote = '';

  constructor(command: string, input: ExpansionInput) {
    this.#command = command;
    this.#input = input;
    this.#read = placeholderReader(input.argumentNames, input.variables);
    this.#arguments = new ArgumentValues(
      input.arguments,
      EXPANSION_RULES[input.mode],
      input.argumentNames.length,
      this.#read,
    );
  }

  /** False where the command becomes too long. */
  run(): boolean {
    let at = 0;
    while (at < this.#command.length && this.text.length <= POLICY_LIMITS.commandCharacters)
      at = this.#step(at);
    return this.text.length <= POLICY_LIMITS.commandCharacters;
  }

  #step(at: number): number {
    const character = this.#command.charAt(at);
    if (character === '$') {
      const found = this.#read(this.#command, at);
      const words = found === null ? null : this.#wordsFor(found, at);
      if (found !== null && words !== null) {
        this.#put(words, found.kind === 'variable');
        return found.end;
      }
    }
    if (character === '{' && this.#isBaseDirectory(at)) {
      this.#put([this.#input.baseDirectory], true);
      return at + BASE_DIRECTORY.length;
    }
    if (character === '\\' && this.#quote !== "'") {
      this.#copy(this.#command.slice(at, at + 2));
      return at + 2;
    }
    if (character === '"' || character === "'") this.#toggle(character);
    this.#copy(character);
    return at + 1;
  }

  #wordsFor(found: Placeholder, at: number): readonly string[] | null {
    if (found.kind === 'variable') return [found.value];
    const { sparesCode } = EXPANSION_RULES[this.#input.mode];
    const declared =
      found.kind !== 'indexed' || !found.bare || found.position < this.#input.declaredArguments;
    if (sparesCode && this.#quote === "'" && !declared) return null;
    const value = this.#arguments.valueOf(found);
    if (value === null) return null;
    const alone = this.#quote === '' && this.#endsWord(at - 1) && this.#endsWord(found.end);
    return found.kind === 'line' && alone ? this.#arguments.words : [value];
  }

  #endsWord(at: number): boolean {
    return /^\s?$/.test(this.#command.charAt(at));
  }

  #isBaseDirectory(at: number): boolean {
    return (
      EXPANSION_RULES[this.#input.mode].foreignNames &&
      this.#command.startsWith(BASE_DIRECTORY, at) &&
      this.#command.charAt(at - 1) !== '$'
    );
  }

  #put(words: readonly string[], trusted: boolean): void {
    this.usesArguments ||= !trusted;
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#copy(' ');
      const plain = PLAIN.test(word);
      this.text += plain ? word : this.#quoted(word);
      if (plain && trusted) this.template += word;
      else {
        this.template += `${STAND_IN}${this.values.length}${STAND_IN}`;
        this.values.push(word);
      }
      if (this.text.length > POLICY_LIMITS.commandCharacters) return;
    }
  }

  #quoted(word: string): string {
    return this.#quote + singleQuoted(word) + this.#quote;
  }

  #toggle(mark: '"' | "'"): void {
    if (this.#quote === '') this.#quote = mark;
    else if (this.#quote === mark) this.#quote = '';
  }

  #copy(text: string): void {
    this.text += text;
    this.template += text;
  }
}

function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Why the values may be more than the text of words; null where both readings of the command prove that they are not. */
function problemOf({ text, template, values }: Filling, shell: 'bash' | 'powershell'): string | null {
  if (shell !== 'bash') return 'arguments can only be quoted for bash';
  const meant = simpleCommands(template);
  const read = simpleCommands(text);
  if (meant === null || read === null || meant.length !== read.length) {
    return 'it is more than words, quotes and separators, so an argument could change what runs';
  }
  const literal = values.map((value) =>
    value === '' ? '' : (shellWords(singleQuoted(value))?.[0]?.[0] ?? ''),
  );
  for (const [index, words] of meant.entries()) {
    const filled = words.map((word) =>
      word.replaceAll(STAND_INS, (_, at: string) => literal[Number(at)] ?? ''),
    );
    if (filled.map((word) => word || "''").join(' ') !== read[index]?.join(' ')) {
      return 'an argument would not stay a word of it';
    }
    const problem = problemIn(words, filled);
    if (problem !== null) return problem;
  }
  return null;
}

function problemIn(words: readonly string[], filled: readonly string[]): string | null {
  const [command = '', first = ''] = words;
  const name = command.slice(command.lastIndexOf('/') + 1);
  const interprets = INTERPRETERS.test(name);
  let optionsEnded = false;
  for (const [index, word] of words.entries()) {
    optionsEnded ||= word === '--';
    const [stand] = word.match(STAND_INS) ?? [];
    if (stand === undefined) continue;
    if (!optionsEnded && filled[index]?.startsWith('-') === true && !word.startsWith('-')) {
      return `an argument begins with "-" and would be an option of ${command}`;
    }
    if (RELAYS.test(name) || (interprets && (stand !== word || index < 2 || first.startsWith('-')))) {
      return `an argument could become part of a program that ${command} runs`;
    }
  }
  return null;
}
