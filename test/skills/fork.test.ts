import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/deployment.ts';
import { fixture, organisationWith, run } from './support.ts';

let token = '';
beforeAll(async () => {
  token = await organisationWith([]);
});

const LOG = fixture('git-log.txt');
const DIFF = fixture('changes.diff');
const COMPLETED = { status: 'succeeded', stopReason: 'completed' };
const FAILED = { status: 'failed', stopReason: 'step_failed' };

/** Arguments that try to become part of the script, each with the input's name in its first line. */
const BREAKOUTS = [
  "input.txt\nEND_OF_ARGUMENT\ntouch '/workspace/broken'\necho broken",
  'input.txt\n\nEND_OF_ARGUMENT\n$(touch /workspace/broken) `touch /workspace/broken`',
  "input.txt'; touch /workspace/broken; '",
  '"input.txt" && touch /workspace/broken',
  '$(touch /workspace/broken)',
  // A step of its own, and one that begins inside the fence of the step that the argument stands in.
  'input.txt\n```\n\n```bash\necho broken > broken; echo broken\n```\n',
  'input.txt\n\n~~~sh\necho broken > broken; echo broken\n~~~',
];

const changelog = async (text: string) =>
  (await run(token, 'write-changelog', { 'log.txt': text })).result ?? '';

const review = async (text: string) => (await run(token, 'review-changes', { 'a.diff': text })).result ?? '';
const added = (path: string, ...lines: string[]) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;

const longFile = (index: number) =>
  added(
    `src/f${index}.ts`,
    ...Array.from(
      { length: 500 },
      (_, line) => `const v${line} = call("x", ${line}); ${line === 250 ? '// TODO' : ''}`,
    ),
  );

describe.each([
  ['write-changelog', LOG, 'changelog.md', ['input.txt', 'changelog.md']],
  ['review-changes', DIFF, 'review.md', ['input.txt']],
])('%s', (skill, input, golden, left) => {
  it('needs nobody’s permission, for it asks for no tool of its caller', async () => {
    const body = { skill, files: [{ path: 'input.txt', text: input }] };
    expect(await (await call('POST', '/v1/decisions', { token, body: { skill } })).json()).toMatchObject({
      decision: 'allow',
      reason: { code: 'safe_properties' },
    });
    expect(await (await call('POST', '/v1/invoke', { token, body })).json()).toMatchObject({
      status: 'forked',
    });
  });

  it.each([
    ['the only file', { 'input.txt': input }, undefined],
    ['the file that is named', { 'input.txt': input, 'other.txt': 'no' }, 'input.txt'],
    ['a quoted name with spaces', { 'my "input" ü.txt': input, 'other.txt': 'no' }, ' "my "input" ü.txt"\r'],
    ['a file in a folder', { 'a b/input.txt': input }, undefined],
    [
      'line ends of Windows and a byte order mark',
      { 'input.txt': `\uFEFF${input.replaceAll('\n', '\r\n')}` },
      '',
    ],
    ['no final newline', { 'input.txt': input.trimEnd() }, undefined],
  ])('reads %s', async (_, files: Record<string, string>, args) => {
    const done = await run(token, skill, files, args);
    expect(done.result).toBe(fixture(golden));
    expect(done).toMatchObject(COMPLETED);
  });

  it('leaves no more than it says in the workspace', async () => {
    const done = await run(token, skill, { 'input.txt': input });
    expect(done.files.map(({ path }) => path).toSorted()).toEqual(left.toSorted());
  });

  it.each([
    ['nothing', {}, undefined, 'there is no input'],
    ['an empty file', { 'input.txt': '' }, undefined, 'input.txt is empty'],
    ['only line ends', { 'input.txt': '\r\n\r\n' }, undefined, 'input.txt is empty'],
    ['something else', { 'input.txt': 'Dear all,\nno changes today.\n' }, undefined, 'input.txt is not a'],
    [
      'a name that is not there',
      { 'input.txt': input },
      'none.txt',
      'there is no file none.txt. Files here:\n./input.txt',
    ],
    ['several files', { 'input.txt': input, 'b.txt': input }, undefined, 'there are several files'],
  ])('says so, and fails, with %s', async (_, files: Record<string, string>, args, message) => {
    const done = await run(token, skill, files, args);
    expect(done).toMatchObject(FAILED);
    expect(done.result).toContain('Step 1 of 2 failed with exit code 1.');
    expect(done.result).toContain(`${skill}: ${message}`);
  });

  it.each(BREAKOUTS)('does not run an argument: %j', async (args) => {
    const done = await run(token, skill, { 'input.txt': input }, args);
    expect(done.files.map(({ path }) => path)).not.toContain('broken');
    expect(done.result).not.toMatch(/^broken$/m);
  });
});

describe('write-changelog', () => {
  it('reads plain git log, with its merges and footers', async () => {
    const text = [
      'commit 849f62f4230a6bd99316099452745e07091c8391 (HEAD -> main)\nAuthor: A <a@example.com>\nDate:   2026-03-02\n',
      '    feat(x): b\n    \n    fix: this is a line of the body\n    BREAKING-CHANGE: gone\n',
      'commit 1f2e3d4c230a6bd99316099452745e07091c8392\nMerge: aaaaaaa bbbbbbb\nAuthor: A <a@example.com>\nDate:   2026-03-01\n',
      '    Something merged\n',
    ].join('\n');
    expect(await changelog(text)).toBe(
      '# Changelog\n\n2 commits on 2026-03-02: 1 entry, 1 merge skipped.\n\n## Breaking\n\n- **x:** b — gone (849f62f)\n',
    );
  });

  it('reads git log --oneline', async () => {
    expect(
      await changelog('a1b2c3d feat!: x\nb1b2c3d Drop y\nc1b2c3d Merge pull request #3 from z\nnot a commit'),
    ).toBe(
      '# Changelog\n\n3 commits: 2 entries, 1 merge skipped.\n\n## Breaking\n\n- x (a1b2c3d)\n\n## Removed\n\n- Drop y (b1b2c3d)\n',
    );
  });

  it('puts the newest first, whichever way the log runs', async () => {
    const lines = ['aaaaaaa\t2026-01-01\t1\tfix: old', 'bbbbbbb\t2026-01-02\t1\tfix: new'];
    const newestFirst = await changelog(lines.toReversed().join('\n'));
    expect(newestFirst).toContain('- new (bbbbbbb)\n- old (aaaaaaa)\n');
    expect(await changelog(lines.join('\n'))).toBe(newestFirst);
  });

  it('keeps hostile subjects text', async () => {
    const subjects = [
      '`$(id)`',
      '$(id) `id',
      '</skill_content><img src=x>',
      '%s %n \\n "\'',
      '# big',
      '1. one',
      '![x](http://e)',
      '\u001b[31mred',
    ];
    const log = subjects.map((subject, index) => `aaaaaa${index}\t2026-01-01\t1\t${subject}\n`).join('');
    expect((await changelog(log)).split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- `$(id)` (aaaaaa0)',
      '- $(id) \\`id (aaaaaa1)',
      '- \\</skill_content>\\<img src=x> (aaaaaa2)',
      '- %s %n \\\\n "\' (aaaaaa3)',
      '- \\# big (aaaaaa4)',
      '- 1\\. one (aaaaaa5)',
      '- !\\[x\\](http://e) (aaaaaa6)',
      '- \\[31mred (aaaaaa7)',
    ]);
  });

  it('takes 2,000 commits in a few seconds, prints what fits and keeps the rest in a file', async () => {
    const types = ['feat', 'fix', 'perf', 'chore', 'remove'];
    const log = Array.from(
      { length: 2_000 },
      (_, index) =>
        `${(0x10000000 + index).toString(16)}\t2026-01-01\t1\t${types[index % 5]}(part${index % 7}): change number ${index} of \`many\`\n    a line of the body\n\n`,
    );
    const started = Date.now();
    const done = await run(token, 'write-changelog', { 'log.txt': log.join('') });
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(done).toMatchObject(COMPLETED);
    expect(done.result?.length).toBeLessThanOrEqual(30_000);
    expect(done.result).toContain('2000 commits on 2026-01-01: 2000 entries.');
    expect(done.result?.match(/^- … and \d+ older; changelog\.md has all of them\.$/gm)).toHaveLength(5);
    expect(done.files.find(({ path }) => path === 'changelog.md')?.size).toBeGreaterThan(100_000);
  }, 30_000);
});

describe('review-changes', () => {
  it('never prints what looks like a secret, wherever it stands', async () => {
    const secrets = [
      'AKIAZ7QX4M2LPW9RTB3V',
      `ghp_${'a1B2'.repeat(9)}`,
      '-----BEGIN RSA PRIVATE KEY-----',
      'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2ln',
      'postgres://me:s3cr3t-word@db/x',
    ];
    const report = await review(
      added('src/a.ts', ...secrets, ...secrets.map((secret) => `console.log('${secret}'); // TODO`)),
    );
    for (const secret of secrets) expect(report).not.toContain(secret.slice(0, 18));
    expect(report.match(/text withheld/g)).toHaveLength(10);
    expect(report).toContain('**Verdict: blocked.');
  });

  it('judges added lines only', async () => {
    const report = await review(
      '--- a/x.test.ts\n+++ b/x.test.ts\n@@ -1,2 +1,2 @@\n-console.log(1); // TODO\n+const a = 1;\n debugger\n',
    );
    expect(report).toContain(
      '**Verdict: nothing risky found by these checks.** 0 blockers, 0 warnings, 0 notes.',
    );
  });

  it('takes added lines that look like headers for what they are', async () => {
    const report = await review(
      added('a.sql', '++ b/fake.ts', '-- a/fake.ts', 'diff --git a/fake b/fake', '@@ -1 +1 @@'),
    );
    expect(report).toContain('1 file, 4 lines added, 0 removed.');
    expect(report).not.toContain('| `fake');
  });

  it('keeps hostile lines and names text', async () => {
    const report = await review(added('src/`x` | $(id).ts', 'console.log(`</skill_content> ``` $(id) %s`)'));
    expect(report).toContain('| ``src/`x` \\| $(id).ts`` |');
    expect(report).toContain('````console.log(`</skill_content> ``` $(id) %s`)````');
  });

  it('says what it could not read', async () => {
    const cut = await review(
      'diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,9 @@\n+x\ndiff --git a/b.md b/b.md\nnew file mode 100644\n',
    );
    expect(cut).toContain('`a.md:2`: the hunk ends before it should');
    expect(await review('diff --cc a.md\n--- a/a.md\n+++ b/a.md\n@@@ -1 -1 +1 @@@\n++x\n')).toContain(
      'diff of a merge',
    );
    const hidden = await review(added('a.md', 'if (admin) {\u202e } {\u2066'));
    expect(hidden).toContain('`a.md:1`: invisible or direction-changing character, text withheld');
  });

  it('takes a diff of 12,000 lines in a few seconds', async () => {
    const started = Date.now();
    const report = await review(Array.from({ length: 24 }, (_, index) => longFile(index)).join(''));
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(report).toContain('24 files, 12000 lines added, 0 removed.');
    expect(report).toContain('**Marked as unfinished** (24)');
    expect(report).toContain('- `src/f7.ts:251`');
    expect(report).toContain('- … and 16 more');
  }, 30_000);
});

describe('inventory', () => {
  const five = {
    'notes/read me.md': '# Notes\n\nThree words here.\n',
    'src/main.ts': 'export const answer = 42;\nexport const name = "x"',
    'copy of main.ts': 'export const answer = 42;\nexport const name = "x"',
    'data.csv': 'a,b\r\n1,2\r\n',
    'we`ird|$(name).txt': '',
  };

  it('counts five files', async () => {
    const done = await run(token, 'inventory', five);
    expect(done.result).toBe(fixture('inventory.md'));
    expect(done).toMatchObject(COMPLETED);
    expect(done.files).toHaveLength(5);
  });

  it('says so, and fails, with no file', async () => {
    const done = await run(token, 'inventory');
    expect(done).toMatchObject(FAILED);
    expect(done.result).toContain('inventory: there are no files here.');
  });

  it('tells binary files, and names of other alphabets', async () => {
    const { result } = await run(token, 'inventory', {
      'ünï.md': 'é\n',
      'raw.txt': new Uint8Array([0, 1, 255, 10]),
      Makefile: 'all:\n',
    });
    expect(result).toContain('| `ünï.md` | Markdown | 1 | 1 | 3 |');
    expect(result).toContain('| `raw.txt` | binary | – | – | 4 |');
    expect(result).toContain('| `Makefile` | Makefile | 1 | 1 | 5 |');
    expect(result).toContain('3 files, 2 lines, 2 words, 12 bytes. 1 binary file without lines and words.');
  });

  it('takes as many files as a run can have', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 256 }, (_, index) => [
        `${'long-folder-name/'.repeat(8)}f${index}.txt`,
        `line ${index}\n`,
      ]),
    );
    const done = await run(token, 'inventory', files);
    expect(done).toMatchObject(COMPLETED);
    expect(done.result).toContain('256 files, 256 lines, 512 words,');
    expect(done.result).toMatch(/\d+ files more not shown in the table; all are counted\./);
    expect(done.result?.length).toBeLessThan(30_000);
  }, 30_000);
});
