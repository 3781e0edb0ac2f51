import type { Decoder } from './payload.ts';

/** Characters that show nothing: zero widths, soft hyphens, and tags, which repeat ASCII invisibly. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
const TAGS = /[\u{e0020}-\u{e007e}]{4,}/gu;

/** What of a line is looked at around a word. */
const LINE_CHARACTERS = 1_024;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Letters of Cyrillic that look like others of Latin. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    е: 'e',
    о: 'o',
    р: 'p',
    х: 'x',
    у: 'y',
    і: 'i',
    ј: 'j',
    ѕ: 's',
    һ: 'h',
    ԁ: 'd',
    ӏ: 'l',
    А: 'A',
    В: 'B',
    С: 'C',
    Е: 'E',
    Н: 'H',
    І: 'I',
    К: 'K',
    М: 'M',
    О: 'O',
    Р: 'P',
    Т: 'T',
    Х: 'X',
  }),
);

/** Tags are read as what they repeat, lines with other disguised characters without them. */
export const DISGUISED_CHARACTERS: readonly Decoder[] = [
  {
    words: [Uint8Array.of(0xf3, 0xa0, 0x80), Uint8Array.of(0xf3, 0xa0, 0x81)],
    *decode(text) {
      for (const match of text.matchAll(TAGS)) {
        const codes = [...match[0]].map((character) => (character.codePointAt(0) ?? 0) - 0xe0000);
        const start = match.index;
        yield {
          text: String.fromCharCode(...codes.slice(0, 4_096)),
          start,
          end: start + match[0].length,
          kind: 'encoded',
        };
      }
    },
  },
  linesOf(
    [
      '\u2060',
      '\u2061',
      '\u2062',
      '\u2063',
      '\u2064',
      '\u200b',
      '\u200c',
      '\u200d',
      '\ufeff',
      '\u202e',
      '\u202d',

      ...Array.from({ length: 26 }, (_, at) => String.fromCharCode(0xff41 + at)),
      ...Array.from({ length: 26 }, (_, at) => String.fromCharCode(0xff21 + at)),
      ...Array.from({ length: 16 }, (_, at) => Uint8Array.of(0xf0, 0x9d, 0x90 + at)),
      ...LETTERS.flatMap((letter) =>
        ['\u00ad', 'а', 'с', 'е', 'о', 'р', 'х', 'у', 'і'].map((other) => letter + other),
      ),
    ],
    (line) =>
      line
        .replaceAll(INVISIBLE, '')
        .normalize('NFKC')
        .replaceAll(/[\u0400-\u04ff]/g, (letter) => LOOKALIKES.get(letter) ?? letter),
  ),
];

/** Words in pieces, as shells and programs put them together again. */
export const DISGUISED_WORDS: Decoder = linesOf(
  [
    "'+'",
    "' + '",
    '"+"',
    '" + "',
    '${ifs}',
    '$ifs',
    "'.'",
    'c\\u',
    'u\\r',
    'r\\l',
    'r\\m',
    'b\\a',
    'w\\g',
    'e\\v',
    ...[
      'c',
      'u',
      'w',
      'b',
      'a',
      'r',
      'e',
      's',
      't',
      'v',
      'l',
      'h',
      'g',
      'm',
      'x',
      'n',
      'o',
      'i',
      'p',
      'd',
      'k',
    ].flatMap((letter) => [`${letter}''`, `${letter}""`]),
  ],
  (line) =>
    line
      .replaceAll(/(["'])\s?[+.]\s?\1/g, '')
      .replaceAll(/\$\{IFS\}|\$IFS(?:\$9)?/g, ' ')
      .replaceAll(/(?<=\w)(?:''|"")(?=\w)/g, '')
      .replaceAll(/(?<=\b[a-z]{1,8})\\(?=[a-z])/g, ''),
);

/** Decodes the lines that have one of the words, and yields those that are other ones without their disguise. */
function linesOf(words: readonly (string | Uint8Array)[], undisguise: (line: string) => string): Decoder {
  return {
    words,
    *decode(text, places) {
      let end = -1;
      for (let place = places.next(end); place !== null; place = places.next(end)) {
        // Never further than a line may be long: a text may be one line.
        const least = Math.max(0, end + 1, place - LINE_CHARACTERS / 2);
        const start = least + text.slice(least, place).lastIndexOf('\n') + 1;
        const next = text.slice(place, start + LINE_CHARACTERS).indexOf('\n');
        end = next === -1 ? Math.min(text.length, start + LINE_CHARACTERS) : place + next;
        const line = text.slice(start, end);
        const plain = undisguise(line);
        if (plain !== line) yield { text: plain, start, end, kind: 'plain' };
      }
    },
  };
}
