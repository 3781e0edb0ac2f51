import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../src/format/frontmatter/parse-frontmatter.ts';

/**
 * Small documents in the manner of the YAML test suite, each with what is read from it and the codes. They are here for
 * the corners of YAML: whatever happens, there is an answer, in time, with lines of the document.
 */
const DOCUMENTS: readonly (readonly [text: string, values: unknown, codes?: readonly string[]])[] = [
  // Plain scalars
  ['a: b', { a: 'b' }],
  ['a:   b   ', { a: 'b' }],
  ['a: b c\n  d', { a: 'b c d' }],
  ['a: b\n\n  c', { a: 'b\nc' }],
  ['a: b#c', { a: 'b#c' }],
  ['a: b:c', { a: 'b:c' }],
  ['a: -b', { a: '-b' }],
  ['a: ?b', { a: '?b' }],
  ['a: http://x.example/?y=1#z', { a: 'http://x.example/?y=1#z' }],
  ['a: C:\\dir', { a: 'C:\\dir' }],
  ['a: 50%', { a: '50%' }],
  // Types of the core schema, and what only YAML 1.1 takes for one
  ['a: 1\nb: -2.5\nc: 1e3\nd: 0x1F\ne: 0o17', { a: 1, b: -2.5, c: 1000, d: 31, e: 15 }],
  ['a: 1_000\nb: 0777\nc: 12:30:45', { a: '1_000', b: 777, c: '12:30:45' }],
  ['a: .inf\nb: .nan', { a: '.inf', b: '.nan' }],
  ['a: 123456789012345678901234567890', { a: 1.2345678901234568e29 }],
  ['a: true\nb: True\nc: yes\nd: off', { a: true, b: true, c: 'yes', d: 'off' }],
  ['a: null\nb: ~\nc:\nd: Null', { a: null, b: null, c: null, d: null }],
  ['a: 2024-01-02\nb: 2024-01-02T03:04:05Z', { a: '2024-01-02', b: '2024-01-02T03:04:05Z' }],
  ['a: <<\n<<: b', { a: '<<', '<<': 'b' }],
  ['a: =', { a: '=' }],
  // Quoted scalars
  ['a: "b\\tc\\u00e9\\x41"', { a: 'b\tcéA' }],
  ["a: 'it''s'", { a: "it's" }],
  ['a: "b\n  c"', { a: 'b c' }],
  ['a: "b \\\n  c"', { a: 'b c' }],
  ['a: ""\nb: \'\'', { a: '', b: '' }],
  ['"a b": c', { 'a b': 'c' }],
  ['a: "b" # c', { a: 'b' }],
  ['a: "b', { a: '"b' }, ['yaml-repaired']],
  ['a: "\\q"', { a: '\\q' }, ['yaml-repaired']],
  ['a: "b" c', { a: '"b" c' }, ['yaml-repaired']],
  // Block scalars
  ['a: |\n  b\n   c\n  d', { a: 'b\n c\nd\n' }],
  ['a: |-\n  b\n', { a: 'b' }],
  ['a: |+\n  b\n\nc: d', { a: 'b\n\n', c: 'd' }],
  ['a: >\n  b\n  c\n\n  d', { a: 'b c\nd\n' }],
  ['a: >-\n  b\n    c\n  d', { a: 'b\n  c\nd' }],
  ['a: |2\n    b\n   c', { a: '  b\n c\n' }],
  ['a: |\n  # not a comment\n  k: v', { a: '# not a comment\nk: v\n' }],
  ['a: | # comment\n  b', { a: 'b\n' }],
  ['a: |\nb: c', { a: '', b: 'c' }],
  ['a: >\n\n\n  b', { a: '\n\nb\n' }],
  ['a: |x\n  b', { a: '|x b' }, ['yaml-repaired']],
  // Collections
  ['a:\n  - b\n  - c', { a: ['b', 'c'] }],
  ['a:\n- b\n- c\nd: e', { a: ['b', 'c'], d: 'e' }],
  ['a:\n  - b: c\n    d: e\n  - f', { a: [{ b: 'c', d: 'e' }, 'f'] }],
  ['a:\n  - - b\n    - c', { a: [['b', 'c']] }],
  ['a:\n  -\n    b', { a: ['b'] }],
  ['a:\n  -', { a: [null] }],
  ['a: [b, c,]', { a: ['b', 'c'] }],
  ['a: [b,\n  c]', { a: ['b', 'c'] }],
  ['a: {b: c, d}', { a: { b: 'c', d: null } }],
  ['a: {b: [c, {d: e}]}', { a: { b: ['c', { d: 'e' }] } }],
  ['a: [b: c]', { a: [{ b: 'c' }] }],
  ['a: []\nb: {}', { a: [], b: {} }],
  ['{"a": "b", "c": [1]}', { a: 'b', c: [1] }],
  ['a: [b', { a: '[b' }, ['yaml-repaired']],
  ['a: b]', { a: 'b]' }],
  ['a: [b]]', { a: '[b]]' }, ['yaml-repaired']],
  ['a: [b] c', { a: '[b] c' }, ['yaml-repaired']],
  ['a:\n  b: c\n d: e', { a: 'b: c d: e' }, ['yaml-repaired']],
  // Keys
  ['1: a\ntrue: b\nnull: c', { '1': 'a', true: 'b', null: 'c' }],
  ['? a\n: b', { a: 'b' }],
  ['a : b', { a: 'b' }],
  ['a b: c', { 'a b': 'c' }],
  ['ключ: значение', { ключ: 'значение' }],
  ['a:b', {}, ['frontmatter-not-a-map']],
  ['a: 1\nA: 2', { a: 1, A: 2 }],
  // Comments and blank lines
  ['# a\n\na: b # c\n# d', { a: 'b' }],
  ['a:\n  # b\n  c: d', { a: { c: 'd' } }],
  ['   \n\n', {}],
  ['# only', {}],
  ['a: # b\n  c', { a: 'c' }],
  // Tabs
  ['a:\tb', { a: 'b' }],
  ['a: b\t# c', { a: 'b' }],
  ['a:\n  b:\tc', { a: { b: 'c' } }],
  ['\ta: b', {}, ['yaml-invalid']],
  // Anchors, tags, documents
  ['a: &b c', { a: 'c' }],
  ['a: &b\n  c: d', { a: { c: 'd' } }],
  ['a: !!str 1\nb: !!int "2"', { a: '1', b: 2 }, ['yaml-tag']],
  ['a: !!map\n  b: c', { a: { b: 'c' } }, ['yaml-tag']],
  ['a: ! b', { a: 'b' }, ['yaml-tag']],
  ['a: !!set {b}', { a: { b: null } }, ['yaml-tag']],
  ['a: !!binary aGk=\nb: !!timestamp 2024-01-02', { a: 'aGk=', b: '2024-01-02' }, ['yaml-tag']],
  ['a: !!omap\n  - b: c\n  - d: e', { a: [{ b: 'c' }, { d: 'e' }] }, ['yaml-tag']],
  ['a: b\n...', { a: 'b' }],
  ['text', {}, ['frontmatter-not-a-map']],
  ['- a', {}, ['frontmatter-not-a-map']],
  ['|\n  a: b', {}, ['frontmatter-not-a-map']],
  // Unicode
  ['a: "🦞\\uD83E\\uDD9E"', { a: '🦞🦞' }],
  ['a: 日本語: テスト', { a: '日本語: テスト' }, ['yaml-repaired']],
  ['a: b\u2028c', { a: 'b\u2028c' }],
  ['a: b\u00A0c\u00A0', { a: 'b\u00A0c\u00A0' }],
  ['a: "\\uD800"', { a: '\uFFFD' }],
  ['\uFEFFa: b', { a: 'b' }],
];

describe('documents', () => {
  const cases = DOCUMENTS.map(([text, values, codes]) => ({ text, values, codes: codes ?? [] }));
  it.each(cases)('$text', ({ text, values, codes }) => {
    const started = performance.now();
    const { keys, diagnostics } = parseFrontmatter(text, 2, 'SKILL.md');
    expect(performance.now() - started).toBeLessThan(500);
    const read = Object.fromEntries([...keys].map(([key, entry]) => [key, entry.value]));
    expect(read).toEqual(values);
    expect(diagnostics.map((entry) => entry.code)).toEqual(codes);
    const last = text.split('\n').length + 1;
    expect(diagnostics.every((entry) => entry.line >= 2 && entry.line <= last)).toBe(true);
  });
});
