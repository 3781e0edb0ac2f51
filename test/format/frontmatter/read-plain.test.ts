import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FrontmatterKey } from '../../../src/format/frontmatter-key.ts';
import { readPlain } from '../../../src/format/frontmatter/read-plain.ts';
import { readYaml } from '../../../src/format/frontmatter/read-yaml.ts';

const PLAIN: readonly (readonly [text: string, values: unknown])[] = [
  [
    'name: a\ndescription: Does this - and that, "as is" (see http://x.example/#y).',
    { name: 'a', description: 'Does this - and that, "as is" (see http://x.example/#y).' },
  ],
  [`a: "b: c # d"\nb: 'e "f"'\nc: ""`, { a: 'b: c # d', b: 'e "f"', c: '' }],
  ['a: é — 日', { a: 'é — 日' }],
  ['metadata:\n  owner: b\n  version: "1"\nname: c', { metadata: { owner: 'b', version: '1' }, name: 'c' }],
  ['constructor: a', { constructor: 'a' }],
];

/** What only YAML knows: these are not read. */
const NOT_PLAIN: readonly string[] = [
  'name: a\ndescription: Does this: no',
  '',
  '\n',
  'a: 1',
  'a: true',
  'a: Null',
  'true: a',
  '__proto__: a',
  'a:',
  'a:\nb: c',
  'a: b\n  c',
  'a: b\n\n  c',
  'a: b\n  c: d',
  'a:\n b: c',
  'a:\n  b:\n    c: d',
  'a:\n  - b',
  'a: b\na: c',
  'a:\n  b: c\n  b: d',
  'a: b # c',
  'a: b ',
  'a: b:',
  'a:  b',
  'a:\tb',
  'a: b\tc',
  'a: "b\\n"',
  "a: 'it''s'",
  'a: "b" c',
  'a: "b',
  'a: [b]',
  'a: {b}',
  'a: &b c',
  'a: *b',
  'a: !b c',
  'a: |\n  b',
  'a: >-',
  'a: @b',
  'a: b\r',
  'a: 🙂',
  'a: b\u2028c',
  '# a\na: b',
  '%YAML 1.1',
  '? a',
  '"a": b',
];

/** Lines of all kinds, most of them plain. */
const key = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,5}$/) },
  fc.constantFrom('true', 'Null', 'x y', '1', '-', '?', '"a"', '__proto__', '<<', 'y', 'NO'),
);
const unit = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'abcXYZ09 ') },
  fc.constantFrom(...` :#'"\\-?,.[]{}&*!|>%@=~<_/()\``, ...'\t\r\u00a0\u0085é日\u2028\ufeff🙂'),
);
const free = fc.string({ unit, maxLength: 12 });
const value = fc.oneof(
  { weight: 3, arbitrary: free.map((text) => `a${text}b`) },
  free.map((text) => `é${text}`),
  free,
  free.map((text) => `"${text}"`),
  free.map((text) => `'${text}'`),
  fc.constantFrom('', 'true', 'False', 'NULL', 'yes', 'Infinity', 'NaN', 'e1', 'x0', 'null and void'),
);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
  { weight: 3, arbitrary: fc.tuple(key, value).map(([name, text]) => `  ${name}: ${text}`) },
  { weight: 3, arbitrary: key.map((name) => `${name}:`) },
  fc.constantFrom('', ' ', '---', '...', '# c', '  # c', '- a', '  - a', '    a: b', ' a: b'),
);
const documents = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));
const PATHS = [[], [0], ['a'], ['b', 'a'], ['a', 0]];

function plainly(keys: ReadonlyMap<string, FrontmatterKey>): unknown {
  return [...keys].map(([name, { value: read, source, line: at, placeAt }]) => {
    const members = typeof read === 'object' && read !== null ? Object.keys(read) : [];
    const places = [...PATHS, ...members.map((member) => [member])].map(placeAt);
    return [name, read, source, at, places];
  });
}

describe('reading plain frontmatter', () => {
  it.each(PLAIN)('reads %j', (text, values) => {
    const keys = readPlain(text, 2);
    expect(keys && Object.fromEntries([...keys].map(([name, { value: read }]) => [name, read]))).toEqual(
      values,
    );
  });

  it.each(NOT_PLAIN.map((text) => [text]))('leaves %j to YAML', (text) => {
    expect(readPlain(text, 2)).toBeNull();
  });

  it('reads what YAML reads, to the place of every key', () => {
    let read = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const keys = readPlain(text, 2);
        if (keys === null) return;
        read += 1;
        const yaml = readYaml(`${text}\n`, 2, 'SKILL.md');
        if (yaml.kind !== 'read') return expect.fail(yaml.kind);
        expect(plainly(keys)).toEqual(plainly(yaml.frontmatter.keys));
        expect([...yaml.frontmatter.features, ...yaml.frontmatter.diagnostics]).toEqual([]);
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(2_000);
  });
});
