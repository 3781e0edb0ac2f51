import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mention } from '../../src/mention/mention.ts';
import { scanMentions } from '../../src/mention/scan-mentions.ts';

/** What stands there, its syntax where it is not `$`, the name, and the path and arguments where there are any. */
const brief = (text: string, { start, end, syntax, name, path, args }: Mention) =>
  [
    text.slice(start, end),
    syntax,
    name,
    ...(path === null ? [] : [path]),
    ...(args === null ? [] : [args]),
  ].join(' | ');
const mentionsOf = (text: string) => scanMentions(text).mentions.map((mention) => brief(text, mention));
const commandsOf = (text: string) => scanMentions(text).commands.map((mention) => brief(text, mention));

const DOLLAR: readonly (readonly [text: string, names: readonly string[]])[] = [
  ['use $pdf please', ['pdf']],
  ['$pdf', ['pdf']],
  ['($pdf), "$docx"; `$pptx`!', ['pdf', 'docx', 'pptx']],
  ['with $team:code-review_2.', ['team:code-review_2']],
  ['first $pdf: then -- $docx- no', ['pdf', 'docx']],
  ["use $pdf's forms", ['pdf']],
  ['$pdf\n$docx', ['pdf', 'docx']],
  ['请用 $pdf 吧', ['pdf']],
  ['$3d-model', ['3d-model']],
  // Variables of the environment, in any case, and words without a small letter.
  ['echo $PATH $HOME $home $xdg_config_home $Term', []],
  ['$FOO_BAR $ARGUMENTS $0 $1 $A1', []],
  ['$USER_NAME-x', ['USER_NAME-x']],
  // Money.
  ['costs $5, $5k, $10usd or $1_000m', []],
  // Parts of words, paths and code, or escaped.
  ['a$pdf x_$pdf 9$pdf é$pdf 𝒳$pdf $$pdf', []],
  [String.raw`\$pdf`, []],
  ['$dir/x $obj.member $list[0] f$(x) $f(x) $x=1 ${pdf} $café $a\\b', []],
  ['$pdf.', ['pdf']],
  ['$ $- $: $$ $$$', []],
  [`$${'a'.repeat(600)}`, []],
];

describe('mentions with a dollar', () => {
  it.each(DOLLAR)('%j', (text, names) => {
    expect(scanMentions(text).mentions.map(({ name }) => name)).toEqual(names);
  });
});

describe('links', () => {
  it.each([
    ['[$pdf](skill://org%2Fpdf)', ['[$pdf](skill://org%2Fpdf) | link | org/pdf']],
    [
      'see [$pdf](/home/me/.codex/skills/pdf/SKILL.md).',
      ['[$pdf](/home/me/.codex/skills/pdf/SKILL.md) | link | pdf'],
    ],
    ['[$x](skill://pdf/a.md)', ['[$x](skill://pdf/a.md) | link | pdf | a.md']],
    ['[$pdf](skill://pdf/../a)', ['[$pdf](skill://pdf/../a) | link | ']],
    // What points elsewhere names no skill, and the name in it does not count either.
    ['[$calendar](app://calendar) [$docs](https://x.test) [$x](README.md)', []],
    ['[$pdf] (x)', ['$pdf | dollar | pdf']],
    ['[$pdf](a b)', ['$pdf | dollar | pdf']],
    ['[$PATH](bin/SKILL.md)', []],
  ])('%s', (text, expected) => {
    expect(mentionsOf(text)).toEqual(expected);
  });
});

describe('URLs', () => {
  it.each([
    ['read skill://pdf.', ['skill://pdf | url | pdf']],
    [
      '(skill://pdf/references/tables.md), then',
      ['skill://pdf/references/tables.md | url | pdf | references/tables.md'],
    ],
    ['`skill://a%2Fb`', ['skill://a%2Fb | url | a/b']],
    ['skill://pdf/%2e%2e/x', ['skill://pdf/%2e%2e/x | url | ']],
    ['myskill://pdf', []],
  ])('%s', (text, expected) => {
    expect(mentionsOf(text)).toEqual(expected);
  });
});

describe('commands at the beginning', () => {
  it.each([
    ['/review', ['/review | slash | review']],
    [' \n/review the fix', ['/review | slash | review']],
    ['/skill:pdf fill it', ['/skill:pdf | skill-command | pdf']],
    ['/team:review x', ['/team:review | slash | team:review']],
    ['/org/pdf x', ['/org/pdf | slash | org/pdf']],
    ['/skill:user:alice/pdf', ['/skill:user:alice/pdf | skill-command | user:alice/pdf']],
    ['/a /b 123', ['/a | slash | a', '/b | slash | b']],
    ['/a /b /c /d /e /f /g x', ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `/${name} | slash | ${name}`)],
    ['/usr/bin/env is there', []],
    ['/org/ x', []],
    ['/a, please', []],
    ['// a comment', []],
    ['/', []],
    ['/*', []],
    ['please /review', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(commandsOf(text)).toEqual(expected);
  });
});

describe('lines', () => {
  it.each([
    ['Skill: pdf', ['Skill: pdf | skill-line | pdf']],
    ['Do it.\n\nSkill: pdf  \nUser: fill\nthe form\n', ['Skill: pdf | skill-line | pdf | fill\nthe form']],
    ['Skill:/home/me/skills/pdf/SKILL.md', ['Skill:/home/me/skills/pdf/SKILL.md | skill-line | pdf']],
    [
      'Skill: C:\\My Skills\\pdf\\SKILL.md\r\nUser: x',
      ['Skill: C:\\My Skills\\pdf\\SKILL.md | skill-line | pdf | x'],
    ],
    ['Skill: skill://pdf/a.md', ['Skill: skill://pdf/a.md | skill-line | pdf | a.md']],
    [
      'Skill: a\nUser: 1\nSkill: b\nUser: 2',
      ['Skill: a | skill-line | a | 1', 'Skill: b | skill-line | b | 2'],
    ],
    ['Skill: a\n\nUser: not of it', ['Skill: a | skill-line | a']],
    ['Skill: the art of listening', []],
    ['Skill:', []],
    ['My Skill: pdf\n  Skill: pdf', []],
    [
      '$a\nSkill: b\nUser: use $c',
      ['$a | dollar | a', 'Skill: b | skill-line | b | use $c', '$c | dollar | c'],
    ],
  ])('%j', (text, expected) => {
    expect(mentionsOf(text)).toEqual(expected);
  });
});

const PIECES = '$ [$ ]( ) / // skill:// Skill: User: pdf A 5 . %2e : - \\ " 😀 é'
  .split(' ')
  .concat(' ', '\n', '\ud800');
const piece = fc.constantFrom(...PIECES);
const hostile = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('scanMentions', () => {
  it('never throws; its mentions are where it says, in order, and none overlaps another', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        for (const group of Object.values(scanMentions(text))) {
          let last = 0;
          for (const { start, end, syntax, name } of group) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            last = end;
            const slice = text.slice(start, end);
            if (syntax === 'dollar') expect(slice).toBe(`$${name}`);
            if (syntax === 'slash') expect(slice).toBe(`/${name}`);
            if (syntax === 'url') expect(slice.toLowerCase().startsWith('skill://')).toBe(true);
          }
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('finds no mention inside of a longer word', () => {
    const letter = fc.constantFrom('a', 'Z', '0', '_', 'é', '字', '𝒳', '$');
    fc.assert(
      fc.property(letter, letter, (before, after) => {
        expect(mentionsOf(`${before}$pdf`)).toEqual([]);
        expect(mentionsOf(`${before}skill://pdf`)).toEqual([]);
        expect(mentionsOf(`$pdf${after}`)).not.toContain('$pdf | dollar | pdf');
        expect(commandsOf(`${before}/pdf`)).toEqual([]);
      }),
    );
  });

  it('takes linear time', () => {
    const pieces = [
      '$',
      '/',
      '"',
      '[$',
      '[$a](',
      '[$a](b',
      'skill://',
      'skill:',
      '$a',
      '/a ',
      'Skill: ',
      'Skill: a\n',
      'User: ',
      '\n',
      ' ',
    ];
    const started = performance.now();
    for (const text of pieces) scanMentions(text.repeat(100_000));
    for (const head of ['$', '/', '[$', '[$a](', 'skill://', 'Skill: '])
      scanMentions(head + 'a'.repeat(1_000_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
