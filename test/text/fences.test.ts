import { expect, test } from 'vitest';
import { fenceCode, fencesOf } from '../../src/text/fences.ts';

const cases: [string, string, [language: string, code: string][]][] = [
  ['a plain block', '```bash\necho 1\n```', [['bash', 'echo 1']]],
  ['tildes', '~~~sh\necho 1\n~~~', [['sh', 'echo 1']]],
  ['more of the info string', '``` Bash title="x"\necho 1\n```', [['bash', 'echo 1']]],
  ['an empty block', '```bash\n```', [['bash', '']]],
  ['no language', '```\necho 1\n```', [['', 'echo 1']]],
  ['a longer fence around a shorter one', '````md\n```bash\nrm x\n```\n````', [['md', '```bash\nrm x\n```']]],
  ['tildes around backticks', '~~~\n```bash\nrm x\n```\n~~~', [['', '```bash\nrm x\n```']]],
  ['a longer closing fence', '```bash\na\n`````\nb', [['bash', 'a']]],
  ['a closing fence with text is content', '```bash\na\n``` no\nb\n```', [['bash', 'a\n``` no\nb']]],
  ['the end of the text closes', '```bash\na\nb', [['bash', 'a\nb']]],
  ['three spaces of indentation, taken off', '   ```bash\n   a\n     b\n c\n   ```', [['bash', 'a\n  b\nc']]],
  ['four spaces are no fence', '    ```bash\n    a\n    ```', []],
  ['a tab is no fence', '\t```bash\n\ta\n\t```', []],
  ['a code span is no fence', '```bash``` and text\na', []],
  ['two backticks are no fence', '``bash\na\n``', []],
  ['line ends of Windows', '```bash\r\na\r\nb\r\n```\r\n', [['bash', 'a\nb']]],
  [
    'several, in order',
    '```bash\n1\n```\ntext\n```js\n2\n```\n~~~shell\n3\n~~~',
    [
      ['bash', '1'],
      ['js', '2'],
      ['shell', '3'],
    ],
  ],
];

test.each(cases)('%s', (_, markdown, expected) => {
  expect(fencesOf(markdown).map((fence) => [fence.language, fenceCode(markdown, fence)])).toEqual(expected);
});

test('says where each block is, whatever ends its lines', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['a', ' ```sh x', ' b', '', '```  ', 'c', '    ~~~', '    d'].join(end);
    const parts = (indentation: 'three' | 'any') =>
      fencesOf(text, indentation).map((fence) => [
        text.slice(fence.start, fence.end),
        fenceCode(text, fence),
      ]);
    const first = [[' ```sh x', ' b', '', '```  '].join(end), 'b\n'];
    expect(parts('three')).toEqual([first]);
    expect(parts('any')).toEqual([first, [`    ~~~${end}    d`, 'd']]);
  }
});

test('a long text of fence characters takes no time worth naming', () => {
  const begun = performance.now();
  fencesOf(
    '`'.repeat(500_000) +
      '\n' +
      '~~~ '.repeat(100_000) +
      '\n' +
      '```\n'.repeat(100_000) +
      `${'`'.repeat(100_000)}\u2028x`,
  );
  expect(performance.now() - begun).toBeLessThan(1000);
});
