import { describe, expect, it } from 'vitest';
import { parseFrontmatter } from '../../src/format/frontmatter/parse-frontmatter.ts';
import { parseSkill } from '../../src/format/parse-skill.ts';

/** craft.md B.3 H: each is named within 50 ms of CPU. This machine is shared, so the clock gets ten times that. */
const MILLISECONDS = 500;
const KIB_16 = 16 * 1024;

/** Frontmatter, and the first code that is reported for it; all of these are refused. */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['16 KiB and more', `a: ${'x'.repeat(17_000)}`, 'frontmatter-too-large'],
  ['6,000 characters of three bytes', `a: ${'語'.repeat(6_000)}`, 'frontmatter-too-large'],
  ['20,000 keys', repeat(20_000, (index) => `k${index}: v\n`), 'frontmatter-too-large'],
  ['8,000 nested brackets', `a: ${'['.repeat(8_000)}`, 'frontmatter-too-deep'],
  ['8,000 nested brackets that close', `a: ${'['.repeat(8_000)}${']'.repeat(8_000)}`, 'frontmatter-too-deep'],
  ['a bracket on each line', `a:\n${' [\n'.repeat(5_000)}`, 'frontmatter-too-deep'],
  ['a brace at column 0 of each line', `a: [\n${'{\n'.repeat(8_000)}`, 'frontmatter-too-deep'],
  ['braces and keys in turns', '{a:\n'.repeat(3_000), 'frontmatter-too-deep'],
  ['4,000 nested dashes', `${'- '.repeat(4_000)}x`, 'frontmatter-too-deep'],
  ['800 nested complex keys', `${'? '.repeat(800)}a`, 'frontmatter-too-deep'],
  ['8,000 colons', ': '.repeat(8_000), 'frontmatter-too-deep'],
  ['brackets that apostrophes hide', `a: x\n${" [a',[b,[c,[d'\n".repeat(900)}`, 'frontmatter-too-deep'],
  ['deep indentation', repeat(60, (index) => `${' '.repeat(index)}k${index}:\n`), 'frontmatter-too-deep'],
  ['aliases', 'a: &x [1]\nb: *x', 'yaml-refused'],
  ['a billion laughs', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]', 'yaml-refused'],
  ['an alias of itself', 'a: &a [*a]', 'yaml-refused'],
  ['an alias behind repair', 'a: &a [1]\nb: *a\nc: d: e', 'yaml-refused'],
  ['a merge of an alias', 'a: &a {x: 1}\nb:\n  <<: *a', 'yaml-refused'],
  ['a directive', '%YAML 1.1\n---\na: 1', 'yaml-refused'],
  ['a directive behind a comment', '# x\n\n%TAG ! tag:x,2000:\n---\na: 1', 'yaml-refused'],
];

/** Frontmatter that is read as far as it goes, and the code that says where it does not go on. */
const READ: readonly (readonly [string, string, string])[] = [
  ['a function behind a tag', 'a: !!js/function "function () {}"', 'yaml-repaired'],
  ['a tag of its own', 'a: !thing x', 'yaml-repaired'],
  ['5,000 tags', `a: ${'!a '.repeat(5_000)}x`, 'yaml-invalid'],
  ['5,000 anchors', '&a '.repeat(5_000), 'yaml-invalid'],
  ['3,000 keys that are not YAML', repeat(2_500, (index) => `k: @${index % 10}\n`), 'yaml-invalid'],
  ['tabs for indentation', `a:\n${'\t- x\n'.repeat(3_000)}`, 'yaml-invalid'],
  ['a quote that never ends', `a: "${'\\x'.repeat(8_000)}`, 'yaml-invalid'],
  ['a key 2,000 times', 'k: v\n'.repeat(2_000), 'key-duplicate'],
  ['a key 2,000 times, further in', `a:\n${' k: v\n'.repeat(2_000)}`, 'key-duplicate'],
  ['4,000 directives', 'a: 1\n' + '%a\n'.repeat(4_000), 'yaml-invalid'],
  ['a second document', 'a: 1\n...\nb: 2', 'yaml-invalid'],
];

/** Frontmatter that is unpleasant and nothing else: no remark, in time. */
const HARMLESS: readonly (readonly [string, string])[] = [
  ['16,000 blank lines in a block', `a: |\n${'\n'.repeat(16_000)}`],
  ['8,000 comments', '#\n'.repeat(8_000)],
  ['a flow map of 5,000 keys', `a: {${repeat(2_500, (index) => `k${index},`)}}`],
  ['a flow list of 3,000 pairs', `a: [${'a: b,'.repeat(3_000)}]`],
  ['a value over 5,000 lines', `a: x\n${' y\n'.repeat(5_000)}`],
  ['1,000 keys', repeat(1_000, (index) => `key${index}: v\n`)],
  [
    'brackets in prose',
    `a: ${'see [ and { '.repeat(5)}\nb: ${'see [ and { '.repeat(5)}\nc: "[[[[[[[[[[[[[[[[[[[["`,
  ],
  ['names of the prototype', '__proto__: {a: 1}\nconstructor: b\ntoString: c\nhasOwnProperty: d'],
  ['bidirectional controls', 'a: "\u202Etxt.exe\u202C"\nb: \u2066x\u2069'],
];

describe('hostile frontmatter', () => {
  it.each(REFUSED)('%s is refused by name, and soon', (_name, text, code) => {
    const { keys, diagnostics } = inTime(() => parseFrontmatter(text, 2, 'SKILL.md'));
    const errors = diagnostics.filter((entry) => entry.severity === 'error');
    expect(errors.map((entry) => entry.code)).toEqual([code]);
    expect(keys.size).toBe(0);
  });

  it.each(READ)('%s is named, and soon', (_name, text, code) => {
    expect(text.length).toBeLessThanOrEqual(KIB_16);
    const { diagnostics } = inTime(() => parseFrontmatter(text, 2, 'SKILL.md'));
    expect(diagnostics.map((entry) => entry.code)).toContain(code);
    const lines = text.split('\n').length + 1;
    expect(diagnostics.filter((entry) => entry.line < 2 || entry.line > lines)).toEqual([]);
  });

  it.each(HARMLESS)('%s is read in time', (_name, text) => {
    expect(text.length).toBeLessThanOrEqual(KIB_16);
    expect(inTime(() => parseFrontmatter(text, 2, 'SKILL.md')).diagnostics).toEqual([]);
  });

  it('pollutes no prototype', () => {
    const text =
      '---\nname: x\ndescription: y\n__proto__: {polluted: 1}\nmetadata: {__proto__: {polluted: 1}}\n---\n';
    const { skill } = parseSkill(new TextEncoder().encode(text), 'x', 'SKILL.md');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(skill?.frontmatter ?? {}, 'polluted')).toBeUndefined();
    expect(Reflect.get(skill?.fields.metadata ?? {}, 'polluted')).toBeUndefined();
    expect(JSON.stringify(skill?.frontmatter)).toContain('"__proto__":{"polluted":1}');
  });

  it('acts on no tag', () => {
    const value = (text: string) => parseFrontmatter(text, 2, 'SKILL.md').keys.get('a')?.value;
    expect(value('a: !!js/function "function () {}"')).toBe('!!js/function "function () {}"');
    expect(value('a: !thing x')).toBe('!thing x');
    expect(value('a:\n  b: !!js/function x')).toEqual({ b: '!!js/function x' });
  });

  it.each([
    ['1,000 braces', '{a,b}'.repeat(1_000)],
    ['braces in braces', '{'.repeat(3_000) + 'a' + '}'.repeat(3_000)],
    ['braces that never close', '{a,'.repeat(3_000)],
    ['7,000 patterns', 'a,'.repeat(7_000)],
  ])('%s in paths stay within bounds, in time', (_name, paths) => {
    const text = `---\nname: x\ndescription: y\npaths: "${paths}"\n---\n`;
    const { skill, diagnostics } = inTime(() => parseSkill(new TextEncoder().encode(text), 'x', 'SKILL.md'));
    expect(skill?.fields.paths.length).toBeLessThanOrEqual(1_000);
    expect(skill?.fields.paths.join('').length).toBeLessThanOrEqual(64 * 1024);
    expect(diagnostics.length).toBeLessThanOrEqual(1);
  });

  it('keeps no more than 100 remarks', () => {
    const text = `---\n${'k: v\n'.repeat(2_000)}---\n`;
    const { diagnostics } = inTime(() => parseSkill(new TextEncoder().encode(text), 'x', 'SKILL.md'));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.code).toBe('diagnostics-more');
  });
});

function inTime<Result>(work: () => Result): Result {
  const started = performance.now();
  const result = work();
  expect(performance.now() - started).toBeLessThan(MILLISECONDS);
  return result;
}

function repeat(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}
