/**
 * A simple command as its program reads it, as far as that can be told without knowing the program: options apart from
 * other words, bundled letters apart from each other, `--name=value` as `--name value`.
 */
export interface Act {
  /** As written, and without its folders. */
  readonly command: readonly [written: string, bare: string];
  readonly words: readonly ActWord[];
  readonly letters: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** What all options begin with, in lower case. */
  readonly initials: ReadonlySet<string>;
}

interface ActWord {
  readonly text: string;
  /** Right behind an option, whose value it may be. */
  readonly mayBeValue: boolean;
  /** How many options came before it. */
  readonly options: number;
}

/** A rule's command, and whether more may follow: further words, or (`git push*`) also more of the last one. */
export interface WantedAct {
  readonly act: Act;
  readonly open: boolean;
  readonly unfinished?: boolean;
}

/** `maybe`: only the program knows whether two options are one, or only the file system what a wildcard stands for. */
export type Likeness = 'same' | 'maybe' | 'other';

const WORD = /(?:[^\\ ]|\\.)+/g;
const LETTERS = /^-[A-Za-z]+/;
const NAME = /^--([A-Za-z][^=]*)(?:=(.*))?$/s;
const BARE_WILDCARD = /^(?:[^\\*?[]|\\.)*[*?[]/;

/** Reads a command in canonical spelling, as `shellWords` gives it. */
export function readAct(command: string): Act {
  const [first = '', ...rest] = command.match(WORD) ?? [];
  const words: ActWord[] = [];
  const letters = new Set<string>();
  const names = new Set<string>();
  let mayBeValue = false;
  let options = 0;
  const push = (text: string): void => {
    words.push({ text, mayBeValue, options });
    mayBeValue = false;
  };
  for (const word of rest) {
    const [, name, value] = NAME.exec(word) ?? [];
    const short = LETTERS.exec(word)?.[0];
    if (word === '--') continue;
    if (name !== undefined) names.add(name);
    else if (short !== undefined) for (const letter of short.slice(1)) letters.add(letter);
    else {
      push(word);
      continue;
    }
    options += 1;
    mayBeValue = true;
    if (value !== undefined) push(value);
  }
  const initials = new Set([...letters, ...[...names].map((name) => name.charAt(0))].map(lower));
  return { command: [first, first.slice(first.lastIndexOf('/') + 1)], words, letters, names, initials };
}

/**
 * Whether a command does what a rule speaks of, in whatever order and bundling its options come: `rm -fr` is `rm -rf`, and
 * `git -C . push --force` is `git push --force`. For deny and ask rules only: it never has to be exact, and errs towards yes.
 */
export function likeness(wanted: WantedAct, call: Act): Likeness {
  if (!call.command.includes(wanted.act.command[0])) return 'other';
  const words = wordsAlike(wanted, call);
  if (words === 'other') return 'other';
  const { letters, names } = wanted.act;
  const seen = new Set<Likeness>([words]);
  for (const letter of letters) seen.add(letterIn(call, letter));
  for (const name of names) seen.add(nameIn(call, name));
  if (seen.has('other')) return 'other';
  return seen.has('maybe') ? 'maybe' : 'same';
}

/** The rule's words in their order; between them only what may be an option's value. */
function wordsAlike({ act, open, unfinished = false }: WantedAct, call: Act): Likeness {
  let at = 0;
  let result: Likeness = 'same';
  for (const [index, { text }] of act.words.entries()) {
    const begins = unfinished && index === act.words.length - 1;
    const isThis = (word: string): boolean => (begins ? word.startsWith(text) : word === text);
    while (call.words[at]?.mayBeValue === true && !isThis(call.words[at]?.text ?? '')) at += 1;
    const word = call.words[at];
    if (word === undefined)
      return call.words.some(({ text }) => BARE_WILDCARD.test(text)) ? 'maybe' : 'other';
    if (!isThis(word.text)) {
      if (!BARE_WILDCARD.test(word.text)) return 'other';
      result = 'maybe';
    }
    at += 1;
  }
  if (open) return result;
  // Nothing may follow; further options may stand before the last word, as in `git -C . push`.
  const before = at === 0 ? 0 : (call.words[at - 1]?.options ?? 0);
  const extra = call.letters.size + call.names.size > act.letters.size + act.names.size && before === 0;
  return call.words.length > at || extra ? 'other' : result;
}

/** Whether a command that a pattern means could do what a rule speaks of. */
export function mayBecome(wanted: WantedAct, { act, open }: WantedAct): boolean {
  if (!open) return likeness(wanted, act) !== 'other';
  if (act.command[0] === '') return true;
  if (!act.command.includes(wanted.act.command[0])) return false;
  // Whatever is not there yet may follow.
  const words = wanted.act.words.slice(0, act.words.filter((word) => !word.mayBeValue).length);
  return wordsAlike({ act: { ...wanted.act, words }, open: true }, act) !== 'other';
}

function letterIn(call: Act, letter: string): Likeness {
  if (call.letters.has(letter)) return 'same';
  return call.initials.has(lower(letter)) ? 'maybe' : 'other';
}

/** Most programs take a beginning of a name for the whole, and have its first letter as a short form. */
function nameIn(call: Act, name: string): Likeness {
  if (call.names.has(name)) return 'same';
  const shortened = [...call.names].some((other) => name.startsWith(other));
  return shortened || call.letters.has(name.charAt(0)) ? 'maybe' : 'other';
}

function lower(letter: string): string {
  return letter.toLowerCase();
}
