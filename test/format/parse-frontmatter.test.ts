import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../src/format/parse-frontmatter.ts';

/** Frontmatter text, the values read from it, and the remarks as `code:line` (line 2 is the first of the frontmatter). */
const GOLDEN: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ['name: x\ndescription: does it', { name: 'x', description: 'does it' }, []],
  [
    'description: use when: foo\npaths: src/**/*.{ts,tsx}',
    { description: 'use when: foo', paths: 'src/**/*.{ts,tsx}' },
    ['yaml-repaired:2', 'yaml-repaired:3'],
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
  ['name: x\n  bad indent: y\n oops', { name: 'x bad indent: y oops' }, ['yaml-invalid:2']],
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

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ['16 KiB and more', `a: ${'x'.repeat(17_000)}`, 'frontmatter-too-large'],
  [
    '20,000 keys',
    Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join('\n'),
    'frontmatter-too-large',
  ],
  ['8,000 nested brackets', `a: ${'['.repeat(8_000)}`, 'frontmatter-too-deep'],
  ['4,000 nested dashes', `${'- '.repeat(4_000)}x`, 'frontmatter-too-deep'],
  ['800 nested complex keys', `${'? '.repeat(800)}a`, 'frontmatter-too-deep'],
  [
    'deep indentation',
    Array.from({ length: 60 }, (_, index) => `${' '.repeat(index)}k${index}:`).join('\n'),
    'frontmatter-too-deep',
  ],
  ['aliases', 'a: &x [1]\nb: *x', 'yaml-refused'],
  ['a billion laughs', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]', 'yaml-refused'],
  ['a directive', '%YAML 1.1\n---\na: 1', 'yaml-refused'],
];

describe('hostile frontmatter', () => {
  it.each(HOSTILE)('%s is refused by name, and soon', (_name, text, code) => {
    const started = performance.now();
    const parsed = parseFrontmatter(text, 2, 'SKILL.md');
    expect(parsed.diagnostics.map((entry) => entry.code)).toEqual([code]);
    expect(parsed.keys.size).toBe(0);
    // The bound is 50 ms of CPU; this machine is shared, so the clock gets ten times that.
    expect(performance.now() - started).toBeLessThan(500);
  });

  it.each([
    ['a: !!js/function "function () {}"', '!!js/function "function () {}"'],
    ['a: !thing x', '!thing x'],
    ['a:\n  b: !!js/function x', 'b: !!js/function x'],
  ])('never acts on a tag: %j is text', (text, value) => {
    const parsed = parseFrontmatter(text, 2, 'SKILL.md');
    expect(parsed.keys.get('a')?.value).toBe(value);
    expect(parsed.diagnostics).toHaveLength(1);
  });

  it('is read within its bounds when it is just large', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `key${index}: v`).join('\n');
    expect(parseFrontmatter(keys, 2, 'SKILL.md').keys.size).toBe(1_000);
  });
});
