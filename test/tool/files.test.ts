import { describe, expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import { TestBlobs } from '../run/support.ts';
import { type Call, called } from './support.ts';

const MIB = 1024 * 1024;

/** One call after others whose answers are of no interest. */
async function answer(
  calls: readonly Call[],
  files: Record<string, string | Uint8Array> = {},
): Promise<string> {
  return (await called(calls, { files })).answers.at(-1) ?? '';
}

const read = (file_path: string, more: object = {}): Call => ['Read', { file_path, ...more }];
const write = (file_path: string, content: string): Call => ['Write', { file_path, content }];
const edit = (file_path: string, old_string: string, new_string: string, more: object = {}): Call => [
  'Edit',
  { file_path, old_string, new_string, ...more },
];
const bash = (command: string): Call => ['Bash', { command }];

describe('Read', () => {
  const numbers = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`);

  test.each<[string, string, object, string]>([
    ['numbers lines', 'one\ntwo\n', {}, '1\tone\n2\ttwo\n'],
    ['keeps a last line without an end, and empty ones', '\none', {}, '1\t\n2\tone\n'],
    [
      'shows a part, and says so',
      'a\nb\nc\nd\n',
      { offset: 2, limit: 2 },
      '2\tb\n3\tc\n[lines 2 to 3 of 4; go on with offset 4]\n',
    ],
    ['shows the end', 'a\nb\nc\n', { offset: 3, limit: 2000 }, '3\tc\n'],
    ['says that a file is empty', '', {}, '[/workspace/f is empty]\n'],
    ['refuses a line that is not there', 'a\n', { offset: 2 }, '1: line_unknown: /workspace/f has 1 lines\n'],
  ])('%s', async (_, text, more, expected) => {
    expect(await answer([read('f', more)], { f: text })).toBe(expected);
  });

  test('shows as much of a long file as there is room for, and then the rest', async () => {
    const first = await answer([read('f')], { f: numbers.join('\n') });
    const next = /go on with offset (\d+)\]\n$/.exec(first)?.[1];
    expect([next, first.length < RUN_LIMITS.toolOutputCharacters]).toEqual(['2001', true]);
    const wide = numbers.map((line) => line.padEnd(100, '.')).join('\n');
    const narrow = await answer([read('f')], { f: wide });
    const offset = Number(/go on with offset (\d+)\]\n$/.exec(narrow)?.[1]);
    expect(narrow.length).toBeLessThanOrEqual(RUN_LIMITS.toolOutputCharacters);
    expect(await answer([read('f', { offset, limit: 1 })], { f: wide })).toMatch(
      `${offset}\tline ${offset}.`,
    );
  });

  test('cuts a long line', async () => {
    const shown = await answer([read('f')], { f: 'x'.repeat(5000) });
    expect(shown).toBe(`1\t${'x'.repeat(2000)} [3000 more characters]\n`);
  });

  test.each([
    ['bytes that are no text', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0), 'file_binary'],
    ['what is not UTF-8', Uint8Array.of(0xc3, 0x28), 'file_binary'],
  ])('says of %s what it is', async (_, bytes, word) => {
    expect(await answer([read('f')], { f: bytes })).toContain(`1: ${word}: /workspace/f has ${bytes.length}`);
  });

  test.each([
    ['nothing', 'ENOENT'],
    ['/etc/passwd', 'ENOENT'],
    ['../../../etc/passwd', 'ENOENT'],
    ['/workspace', 'EISDIR'],
    ['a/../..', 'ENOENT'],
    ['/workspaces/f', 'ENOENT'],
  ])('refuses %s', async (path, code) => {
    expect(await answer([read(path)])).toMatch(new RegExp(`^1: ${code}: `));
  });

  test.each([[''], ['a\u0000b'], ['a\nb'], ['x'.repeat(600)], [7]])(
    'does not take %j for a path',
    async (file_path) => {
      expect(await answer([['Read', { file_path }]])).toMatch(/^2: Read cannot read this input: file_path: /);
    },
  );

  test('shows the skill’s own files', async () => {
    const blobs = new TestBlobs();
    const skillFiles = { 'references/a.md': blobs.add('# A\n') };
    const calls = [
      read('/skills/steps/references/a.md'),
      write('/skills/steps/references/b.md', 'x'),
      edit('/skills/steps/references/a.md', '# A', '# B'),
    ];
    const { answers } = await called(calls, { skillFiles }, { blobs });
    expect(answers[0]).toBe('1\t# A\n');
    expect(answers.slice(1)).toEqual([
      expect.stringMatching(/^1: EROFS: read-only/),
      expect.stringMatching(/^1: EROFS: read-only/),
    ]);
  });
});

describe('Write', () => {
  test('makes a file and its folders', async () => {
    const { run, answers } = await called([write('a/b/c.txt', 'ü\n'), bash('cat a/b/c.txt')]);
    expect(answers).toEqual(['created /workspace/a/b/c.txt (3 bytes)\n', 'ü\n']);
    expect(run.files).toEqual([{ path: 'a/b/c.txt', size: 3 }]);
  });

  test('replaces only what was read, as it was read', async () => {
    const files = { f: 'old' };
    expect(await answer([write('f', 'new')], files)).toMatch(/^1: file_unread: /);
    expect(await answer([read('f'), write('f', 'new')], files)).toBe('replaced /workspace/f (3 bytes)\n');
    expect(await answer([read('f'), bash('echo x >> f'), write('f', 'new')], files)).toMatch(
      /^1: file_changed: /,
    );
    expect(await answer([write('g', '1'), write('g', '2')])).toBe('replaced /workspace/g (1 bytes)\n');
    expect(await answer([read('f'), bash('rm f'), write('f', 'new')], files)).toMatch(/^created /);
    expect(await answer([bash('echo 1 > h'), write('h', '2')])).toMatch(/^1: file_unread: /);
  });

  test.each([
    ['/etc/x', /^1: EROFS/],
    ['/x', /^1: EROFS/],
    ['/workspace', /^1: EISDIR/],
    ['f/g', /^1: (ENOTDIR|EEXIST)/],
    ['d', /^1: EISDIR/],
  ])('refuses %s', async (path, expected) => {
    const { run, answers } = await called([write(path, 'x')], { files: { f: '', 'd/e': '' } });
    expect(answers[0]).toMatch(expected);
    expect(run).toMatchObject({ status: 'succeeded', files: [{ path: 'd/e' }, { path: 'f' }] });
  });

  test('refuses 50 MB by name, and the run goes on', async () => {
    const calls = [write('f', 'x'.repeat(50 * MIB)), write('f', 'ü'.repeat(MIB)), write('g', 'y')];
    const { run, answers } = await called(calls);
    expect(answers[0]).toMatch(/^2: Write cannot read this input: input_too_long: /);
    expect(answers[1]).toBe('1: file_too_large: 2097152 bytes are more than the 1048576 of one call\n');
    expect(run).toMatchObject({ status: 'succeeded', files: [{ path: 'g', size: 1 }] });
  });

  test('over the workspace’s quota, the run ends with what there was', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 31 }, (_, index) => [`f${index}`, new Uint8Array(MIB)]),
    );
    const { run } = await called([write('a', 'x'.repeat(MIB)), write('b', 'x')], { files });
    expect(run).toMatchObject({ status: 'stopped', stopReason: 'workspace_limit', usage: { toolCalls: 2 } });
    expect(run.files.map(({ path }) => path)).toContain('a');
    expect(run.files.map(({ path }) => path)).not.toContain('b');
  });
});

describe('Edit', () => {
  test.each<[string, string, Call, string, string]>([
    ['one place', 'a\nb\nc\n', edit('f', 'b', 'B'), 'replaced in /workspace/f: line 2\n', 'a\nB\nc\n'],
    [
      'everywhere',
      'aXaXa',
      edit('f', 'a', 'bb', { replace_all: true }),
      'replaced in /workspace/f: 3 places\n',
      'bbXbbXbb',
    ],
    ['with nothing', 'abc', edit('f', 'b', ''), 'replaced in /workspace/f: line 1\n', 'ac'],
    ['patterns of replacement as text', 'a', edit('f', 'a', "$& $1 $' \\n"), 'replaced', "$& $1 $' \\n"],
    [
      'several lines of a Windows file',
      'a\r\nb\r\nc\r\n',
      edit('f', 'a\nb', 'x\ny'),
      'replaced',
      'x\r\ny\r\nc\r\n',
    ],
    ['a BOM stays', '\ufeffa', edit('f', 'a', 'b'), 'replaced', '\ufeffb'],
    ['not twice', 'aa', edit('f', 'a', 'b'), '1: text_ambiguous: old_string is in 2 places', 'aa'],
    ['nowhere', 'abc', edit('f', 'x', 'b'), '1: text_unknown: ', 'abc'],
    ['the same', 'abc', edit('f', 'a', 'a'), '1: nothing_to_change: ', 'abc'],
    ['no empty text', 'abc', edit('f', '', 'a'), '2: Edit cannot read this input: old_string', 'abc'],
  ])('%s', async (_, text, call, expected, after) => {
    const { run, answers } = await called([read('f'), call, bash('base64 -w0 f')], { files: { f: text } });
    expect(answers[1]?.slice(0, expected.length)).toBe(expected);
    const bytes = Uint8Array.from(atob(answers[2] ?? ''), (character) => character.charCodeAt(0));
    expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)).toBe(after);
    expect(run.status).toBe('succeeded');
  });

  test('changes only what was read', async () => {
    expect(await answer([edit('f', 'a', 'b')], { f: 'a' })).toMatch(/^1: file_unread: /);
    expect(await answer([read('f'), edit('f', 'a', 'b'), edit('f', 'b', 'c')], { f: 'a' })).toMatch(
      /^replaced/,
    );
    expect(await answer([edit('nothing', 'a', 'b')])).toMatch(/^1: ENOENT: /);
  });

  test('cannot be made to write gigabytes', async () => {
    const calls = [read('f'), edit('f', 'a', 'b'.repeat(100_000), { replace_all: true })];
    expect(await answer(calls, { f: 'a'.repeat(MIB) })).toMatch(/^1: file_too_large: /);
  });
});

describe('Glob', () => {
  const files = { 'a.md': '', 'b/c.md': '', 'b/d.txt': '', 'b/e/f.ts': '', 'b/e/g.js': '', '.hidden': '' };

  test.each<[string, object, string[]]>([
    ['**/*.md', {}, ['a.md', 'b/c.md']],
    ['*.md', {}, ['a.md', 'b/c.md']],
    ['/*.md', {}, ['a.md']],
    ['b/*', {}, ['b/c.md', 'b/d.txt', 'b/e/f.ts', 'b/e/g.js']],
    ['**/*.{ts,js}', {}, ['b/e/f.ts', 'b/e/g.js']],
    ['[ac].md', { path: 'b' }, ['b/c.md']],
    ['?.md', { path: '/workspace/b/' }, ['b/c.md']],
    ['*', { path: 'a.md' }, ['a.md']],
    ['.hidden', {}, ['.hidden']],
  ])('%s of %j', async (pattern, more, expected) => {
    const shown = await answer([['Glob', { pattern, ...more }]], files);
    expect(shown).toBe(expected.map((path) => `/workspace/${path}\n`).join(''));
  });

  test('says when nothing matches, and what cannot be searched', async () => {
    expect(await answer([['Glob', { pattern: '*.xyz' }]], files)).toBe('[no file matches]\n');
    expect(await answer([['Glob', { pattern: '*', path: '/nothing' }]])).toMatch(/^1: ENOENT/);
    expect(await answer([['Glob', { pattern: '{a,b}'.repeat(20) }]])).toMatch(/^1: pattern_invalid: /);
    expect(await answer([['Glob', { pattern: 'a'.repeat(2000) }]])).toMatch(/^1: pattern_invalid: /);
  });

  test('says how many more there are', async () => {
    const shown = await answer([bash('for i in $(seq 600); do : > f$i; done'), ['Glob', { pattern: 'f*' }]]);
    expect(shown.split('\n').at(-2)).toBe('[and 100 more]');
  });
});

describe('Grep', () => {
  const files = {
    'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n',
    'b/c.ts': 'const one = 1;\n',
    bin: Uint8Array.of(0, 111, 110, 101),
  };

  test.each<[string, object, string]>([
    ['names files', { pattern: 'one' }, '/workspace/a.txt\n/workspace/b/c.ts\n'],
    ['counts', { pattern: 'o', output_mode: 'count' }, '/workspace/a.txt:3\n/workspace/b/c.ts:1\n'],
    [
      'shows lines',
      { pattern: '^t', output_mode: 'content' },
      '/workspace/a.txt:2:two\n/workspace/a.txt:3:three\n',
    ],
    [
      'with lines around',
      { pattern: '^(two|six)$', output_mode: 'content', '-C': 1, path: 'a.txt' },
      [
        '/workspace/a.txt-1-one',
        '/workspace/a.txt:2:two',
        '/workspace/a.txt-3-three',
        '--',
        '/workspace/a.txt-5-five',
        '/workspace/a.txt:6:six',
        '/workspace/a.txt-7-seven',
        '',
      ].join('\n'),
    ],
    [
      'with lines before and behind',
      { pattern: 'three', output_mode: 'content', '-B': 1, '-A': 1, path: 'a.txt' },
      '/workspace/a.txt-2-two\n/workspace/a.txt:3:three\n/workspace/a.txt-4-four\n',
    ],
    ['in either case', { pattern: 'ONE', '-i': true, glob: '*.ts' }, '/workspace/b/c.ts\n'],
    ['in chosen files', { pattern: 'one', glob: '*.{ts,md}' }, '/workspace/b/c.ts\n'],
    ['nothing', { pattern: 'eight' }, '[no match]\n'],
    ['a bad pattern', { pattern: '(' }, '1: pattern_invalid: '],
    ['look-around', { pattern: '(?=a)' }, '1: pattern_invalid: '],
    ['a place that is not there', { pattern: 'a', path: 'x' }, '1: ENOENT: '],
    ['an unknown option', { pattern: 'a', '-z': true }, '2: Grep cannot read this input: '],
    [
      'the first of many',
      { pattern: '.', output_mode: 'content', head_limit: 2 },
      '/workspace/a.txt:1:one\n/workspace/a.txt:2:two\n[there is more; narrow the search]\n',
    ],
  ])('%s', async (_, input, expected) => {
    const shown = await answer([['Grep', { ...input }]], files);
    expect(/^[12]: /.test(expected) ? shown.slice(0, expected.length) : shown).toBe(expected);
  });

  test('ends in time, whatever the pattern says', async () => {
    const text = `${'a'.repeat(60_000)}\n`.repeat(16);
    const begun = Date.now();
    const shown = await answer([['Grep', { pattern: '(a?){30}(a*)*(a|aa)+b$' }]], { f: text });
    expect(Date.now() - begun).toBeLessThan(25_000);
    expect(shown).toMatch(/^\[(no match|time_limit)/);
  });
});

test('Grep fetches the files of a skill together, and a lost one is no missing file', async () => {
  const blobs = new TestBlobs();
  const rounds: number[] = [];
  const counted = {
    readMany: async (wanted: Parameters<TestBlobs['readMany']>[0]) => {
      rounds.push(wanted.length);
      return blobs.readMany(wanted);
    },
  };
  const skillFiles = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`d/f${index}`, blobs.add(`text ${index}\n`)]),
  );
  const calls: Call[] = [['Grep', { pattern: 'text 3', path: '/skills/steps', output_mode: 'count' }]];
  const { answers } = await called(calls, { skillFiles }, { blobs: counted });
  expect(rounds).toEqual([40]);
  expect(answers[0]?.split('\n')).toHaveLength(12);
  let failures = 2;
  const failing = {
    readMany: async (wanted: Parameters<TestBlobs['readMany']>[0]) => {
      failures -= 1;
      return failures < 0 ? blobs.readMany(wanted) : wanted.map(() => null);
    },
  };
  const again = await called(calls, { skillFiles }, { blobs: failing });
  expect(again.answers).toEqual(answers);
  expect(again.run.steps.find(({ kind }) => kind === 'tool')?.attempts).toBe(3);
});
