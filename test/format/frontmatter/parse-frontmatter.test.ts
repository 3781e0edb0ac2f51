import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../../src/format/frontmatter/parse-frontmatter.ts';

/** Frontmatter text, the values read from it, and the remarks as `code:line` (line 2 is the first of the frontmatter). */
const GOLDEN: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ['name: x\ndescription: does it', { name: 'x', description: 'does it' }, []],
  [
    'description: use when: foo\npaths: src/**/*.{ts,tsx}',
    { description: 'use when: foo', paths: 'src/**/*.{ts,tsx}' },
    ['yaml-repaired:2'],
  ],
  ['description: "a" and "b": c', { description: '"a" and "b": c' }, ['yaml-repaired:2']],
  ['description: foo # bar', { description: 'foo' }, []],
  ['description: foo: bar # baz', { description: 'foo: bar # baz' }, ['yaml-repaired:2']],
  ['paths: *.ts', { paths: '*.ts' }, ['yaml-repaired:2']],
  ['paths: [a, b]', { paths: ['a', 'b'] }, []],
  ['name: @x', { name: '@x' }, ['yaml-repaired:2']],
  [
    'allowed-tools: Bash(git diff: *), Read',
    { 'allowed-tools': 'Bash(git diff: *), Read' },
    ['yaml-repaired:2'],
  ],
  ['allowed-tools: Bash(git:*), Read', { 'allowed-tools': 'Bash(git:*), Read' }, []],
  ['argument-hint: [date] [range]', { 'argument-hint': '[date] [range]' }, ['yaml-repaired:2']],
  ['name: x\nname: y', { name: 'y' }, ['key-duplicate:3']],
  ['- a\n- b', {}, ['frontmatter-not-a-map:2']],
  ['', {}, []],
  ['name: x\n  bad indent: y\n oops', { name: 'x bad indent: y oops' }, ['yaml-repaired:2']],
  // Only the value that YAML stumbles over is put into quotes: a list stays a list, a comment a comment.
  [
    'tags: [a, b]\ndescription: use: it\npaths: a/* # all\nversion: 1.10',
    { tags: ['a', 'b'], description: 'use: it', paths: 'a/*', version: 1.1 },
    ['yaml-repaired:3'],
  ],
  [
    'description: first: line\n  second: line\n  third\nname: x',
    { description: 'first: line second: line third', name: 'x' },
    ['yaml-repaired:2'],
  ],
  [
    'metadata:\n  a: one: two\n  b: [1, 2]\n  c:\n    - d: @x\nname: x',
    { metadata: { a: 'one: two', b: [1, 2], c: [{ d: '@x' }] }, name: 'x' },
    ['yaml-repaired:3', 'yaml-repaired:6'],
  ],
  [
    'name: x\nThis line is prose.\ndescription: y\nand: more: here',
    { name: 'x', description: 'y', and: 'more: here' },
    ['yaml-repaired:5', 'yaml-invalid:3'],
  ],
  // OpenClaw's authors close a bracket at column 0.
  [
    'name: x\nmetadata:\n  {\n    "a": {"b": 1},\n  }\nversion: 1',
    { name: 'x', metadata: { a: { b: 1 } }, version: 1 },
    [],
  ],
  [
    'name: x\nmetadata: {\n  "a": {"b": 1}\n}\nversion: 1',
    { name: 'x', metadata: { a: { b: 1 } }, version: 1 },
    [],
  ],
  [
    'name: x\nmetadata: {"bins":\\["curl"]}\nversion: 1',
    { name: 'x', metadata: '{"bins":\\["curl"]}', version: 1 },
    ['yaml-repaired:3'],
  ],
  ['metadata: {\n  "a": [\n  1\n]\n}\nversion: 1', { metadata: { a: [1] }, version: 1 }, ['yaml-indent:2']],
  ['metadata:\n  a: 1\n  b: 2\n  a: 3', { metadata: { a: 3, b: 2 } }, ['key-duplicate:5']],
  ['version: !!str 1.10', { version: '1.10' }, ['yaml-tag:2']],
  ['a: &x 1', { a: 1 }, []],
  [
    'metadata:\n  nested:\n    deep: [1, two, {three: 3}]',
    { metadata: { nested: { deep: [1, 'two', { three: 3 }] } } },
    [],
  ],
  ['__proto__: x\nconstructor: y', { ['__proto__']: 'x', constructor: 'y' }, []],
  ['date: 2024-01-02', { date: '2024-01-02' }, []],
  ['flag: yes\nother: true', { flag: 'yes', other: true }, []],
];

describe('parseFrontmatter', () => {
  it.each(GOLDEN)('%j', (text, values, remarks) => {
    const parsed = parseFrontmatter(text, 2, 'SKILL.md');
    const read = Object.fromEntries([...parsed.keys].map(([key, entry]) => [key, entry.value]));
    expect(JSON.stringify(read)).toBe(JSON.stringify(values));
    expect(parsed.diagnostics.map((entry) => `${entry.code}:${entry.line}`)).toEqual(remarks);
  });

  it('keeps the spelling of a number', () => {
    expect(parseFrontmatter('version: 1.10', 2, 'SKILL.md').keys.get('version')?.source).toBe('1.10');
  });

  it('says on which line each key stands', () => {
    const { keys } = parseFrontmatter(
      'name: x\n\n# remark\ndescription: >\n  two\n  lines\nmodel: y',
      2,
      'SKILL.md',
    );
    expect([...keys].map(([key, entry]) => [key, entry.line])).toEqual([
      ['name', 2],
      ['description', 5],
      ['model', 8],
    ]);
  });
});

describe('lines inside of values', () => {
  const text = 'a:\n  b:\n    - c: 1\n      d: 2\n    - [e, f]\n  g: h';
  it.each<[(string | number)[], number]>([
    [[], 2],
    [['b'], 3],
    [['b', 0], 4],
    [['b', 0, 'd'], 5],
    [['b', 1, 1], 6],
    [['g'], 7],
    [['g', 'deeper'], 7],
    [['nothing', 'here'], 2],
    [['b', 9], 3],
  ])('%j', (path, line) => {
    expect(parseFrontmatter(text, 2, 'SKILL.md').keys.get('a')?.placeAt(path).line).toBe(line);
  });
});
