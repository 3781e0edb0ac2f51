import { describe, expect, it } from 'vitest';
import { splitDocument } from '../../../src/format/frontmatter/split-document.ts';

const CASES: readonly (readonly [string, string, string | null, string, readonly string[]])[] = [
  ['plain', '---\nname: x\n---\nbody\n', 'name: x', 'body\n', []],
  ['empty frontmatter', '---\n---\nbody', '', 'body', []],
  ['no body', '---\nname: x\n---', 'name: x', '', []],
  ['carriage returns', '---\r\nname: x\r\n---\r\nbody\r\n', 'name: x', 'body\n', ['carriage-returns']],
  ['byte order mark', '\uFEFF---\nname: x\n---\nbody', 'name: x', 'body', ['byte-order-mark']],
  ['spaces behind the fences', '--- \nname: x\n---\t\nbody', 'name: x', 'body', ['fence-spaces']],
  [
    'an indented fence is part of a value',
    '---\na: |\n  x\n  ---\n  y\n---\nbody',
    'a: |\n  x\n  ---\n  y',
    'body',
    [],
  ],
  [
    'two rules are no frontmatter',
    '# T\n\n---\nfoo: bar\n---\nrest',
    null,
    '# T\n\n---\nfoo: bar\n---\nrest',
    ['frontmatter-missing'],
  ],
  ['never closed', '---\nname: x\nbody', null, '---\nname: x\nbody', ['frontmatter-unclosed']],
  ['a rule in the body stays', '---\nname: x\n---\na\n---\nb', 'name: x', 'a\n---\nb', []],
  [
    'four dashes are no fence',
    '----\nname: x\n----\n',
    null,
    '----\nname: x\n----\n',
    ['frontmatter-missing'],
  ],
];

describe('splitDocument', () => {
  it.each(CASES)('%s', (_name, text, frontmatter, body, codes) => {
    const document = splitDocument(text, 'SKILL.md');
    expect(document.frontmatter).toBe(frontmatter);
    expect(document.body).toBe(body);
    expect(document.diagnostics.map((entry) => entry.code)).toEqual(codes);
  });
});
