import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import { bash, ran, shell, startOf, stubOf, useDependencies } from './support.ts';

beforeEach(() => useDependencies());

const scripts: [what: string, script: string, output: string][] = [
  ['writes and appends', 'echo a > f; echo b >> f; cat f', 'a\nb\n'],
  ['truncates', 'echo abc > f; : > f; wc -c < f', '0\n'],
  ['tee and tee -a', 'echo a | tee f; echo b | tee -a f; cat f', 'a\nb\na\nb\n'],
  ['sed -i', 'echo cat > f; sed -i s/c/r/ f; cat f', 'rat\n'],
  ['mkdir -p and ls', 'mkdir -p a/b/c; touch a/b/c/f; ls a/b', 'c\n'],
  ['mkdir twice', 'mkdir a; mkdir a 2>/dev/null || echo no; mkdir -p a && echo yes', 'no\nyes\n'],
  [
    'mkdir without a parent',
    'mkdir a/b 2>&1',
    "mkdir: cannot create directory 'a/b': No such file or directory\n",
  ],
  ['cp of a file', 'echo a > f; cp f g; echo b > f; cat g', 'a\n'],
  ['cp -r of a directory', 'mkdir -p d/e; echo 1 > d/e/f; cp -r d x; echo 2 > d/e/f; cat x/e/f', '1\n'],
  ['cp into a directory', 'mkdir d; echo 1 > f; cp f d; cat d/f', '1\n'],
  ['mv of a file', 'echo a > f; mv f g; ls; cat g', 'g\na\n'],
  ['mv over a file', 'echo a > f; echo b > g; mv f g; ls; cat g', 'g\na\n'],
  ['mv of a directory', 'mkdir -p d/e; echo 1 > d/e/f; mv d x; find . -type f', './x/e/f\n'],
  ['mv of a directory into itself', 'mkdir -p d/e; mv d d/e/d 2>/dev/null || echo no; ls', 'no\nd\n'],
  ['rm and rm -r', 'mkdir d; touch d/f g; rm g; rm d 2>/dev/null || echo no; rm -r d; ls | wc -l', 'no\n0\n'],
  ['rm -f of nothing', 'rm -f nothing && echo ok', 'ok\n'],
  ['rmdir', 'mkdir -p a/b; rmdir a 2>/dev/null || echo full; rmdir a/b a; ls', 'full\n'],
  ['globs', 'touch a.txt b.txt c.md; echo *.txt; echo x*', 'a.txt b.txt\nx*\n'],
  [
    'find with a pattern',
    "mkdir -p a/b; touch a/x.md a/b/y.md a/z.txt; find . -name '*.md' | sort",
    './a/b/y.md\n./a/x.md\n',
  ],
  [
    'chmod and running a script',
    "printf '#!/bin/bash\\necho ran $1\\n' > s.sh; ./s.sh 2>/dev/null || echo no; chmod +x s.sh; ./s.sh x",
    'no\nran x\n',
  ],
  [
    'tests on files',
    '[ -f f ] || echo none; touch f; [ -f f ] && [ ! -d f ] && [ -w f ] && echo file',
    'none\nfile\n',
  ],
  ['between file systems', 'echo 1 > f; mv f /tmp/f; cp /tmp/f g; cat /tmp/f g; ls', '1\n1\ng\n'],
  ['names with spaces', "mkdir 'a b'; echo 1 > 'a b/c d'; cat 'a b'/*", '1\n'],
  [
    'hard and symbolic links are refused',
    'echo 1 > f; ln -s f g 2>/dev/null || echo no; ln f h 2>/dev/null || echo no; ls',
    'no\nno\nf\n',
  ],
  [
    'an absolute link out of the workspace',
    'ln -s / root 2>/dev/null; ls root 2>/dev/null || echo none',
    'none\n',
  ],
  ['dots do not leave', 'cd ../../../..; pwd; echo 1 > workspace/../workspace/f; cat /workspace/f', '/\n1\n'],
];

test.each(scripts)('%s', async (_, script, output) => {
  expect((await shell(script)).output).toBe(output);
});

test('a later step sees the files of an earlier one, also those in /tmp, and nothing else of it', async () => {
  const first = 'mkdir d; echo 1 > d/f; echo 2 > /tmp/g; cd d; export X=1';
  const run = await ran(startOf({ prompt: bash(first, 'cat d/f /tmp/g; pwd; echo "[$X]"') }));
  expect(run.result).toBe('1\n2\n/workspace\n[]\n');
  expect(run.files).toEqual([{ path: 'd/f', size: 2 }]);
});

test('moved, copied, replaced and deleted files are stored as they are', async () => {
  const steps = [
    'echo a > a; echo b > b; echo c > c; echo d > d',
    'mv a a2; echo new > a; cp b b2; mv c b; rm d; echo e > e',
    'mv a a3; mv a2 a; mv a3 a2; mv e d',
    'head a a2 b b2 d',
  ];
  const run = await ran(startOf({ prompt: bash(...steps) }));
  expect(run.result).toBe(
    '==> a <==\na\n\n==> a2 <==\nnew\n\n==> b <==\nc\n\n==> b2 <==\nb\n\n==> d <==\ne\n',
  );
  expect(run.files.map(({ path }) => path)).toEqual(['a', 'a2', 'b', 'b2', 'd']);
});

test('bytes of every value pass through unchanged', async () => {
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
  const steps = [
    'cp in a; cat in > b; cat in | tee c > d',
    'cat in in > e; sha256sum in a b c d | cut -d" " -f1 | uniq',
    'base64 -w0 in',
  ];
  const run = await ran(startOf({ files: { in: bytes }, prompt: bash(...steps) }));
  const hashed = run.steps[3]?.output?.trimEnd().split('\n');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  expect(hashed).toEqual([[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')]);
  expect(run.result).toBe(btoa(String.fromCharCode(...bytes)));
});

test('a file larger than one piece', async () => {
  const size = RUN_LIMITS.fileBytes;
  const big = Uint8Array.from({ length: size }, (_, index) => 97 + (index % 26));
  const steps = ['cat in in in > big; echo end >> big', 'wc -c < big; tail -c 8 big; head -c 3 big'];
  const start = startOf({ files: { in: big }, prompt: bash(...steps) });
  const run = await ran(start);
  const pieces = await runInDurableObject(stubOf(start), (_, { storage }) =>
    storage.sql
      .exec<{ size: number }>("SELECT length(bytes) AS size FROM piece WHERE owner = 'file:2'")
      .toArray(),
  );
  expect(pieces.map((piece) => piece.size)).toEqual([size, size, size, 4]);
  expect(run.files).toContainEqual({ path: 'big', size: 3 * size + 4 });
  const tail = String.fromCharCode(...big.slice(-4));
  expect(run.result).toBe(`${3 * size + 4}\n${tail}end\nabc`);
});

test('output is cut, and says by how much', async () => {
  const { output, run } = await shell('seq 1 9999');
  expect(output.length).toBeLessThan(RUN_LIMITS.toolOutputCharacters + 200);
  const whole = Array.from({ length: 9_999 }, (_, index) => `${index + 1}\n`).join('');
  expect(output).toContain(`[${whole.length - RUN_LIMITS.toolOutputCharacters} more characters were cut; `);
  expect(run).toMatchObject({ status: 'succeeded', result: output });
});

test('errors are shown beside a long output', async () => {
  const { output } = await shell('seq 1 9999; echo broken >&2');
  expect(output).toMatch(/more characters were cut; .*\]\nbroken\n$/);
});

test('compression, which needs zlib of the runtime', async () => {
  const { output } = await shell(
    'echo abc | gzip | gunzip; echo abc > f; gzip f; ls; zcat f.gz; gunzip f.gz; cat f',
  );
  expect(output).toBe('abc\nf.gz\nabc\nabc\n');
});

test('there is no network', async () => {
  const { run } = await shell('curl https://example.com');
  expect(run).toMatchObject({ status: 'failed', stopReason: 'commands_missing' });
  const { output } = await shell('c=curl; $c https://example.com; w=wget; $w https://example.com');
  expect(output).toBe('bash: curl: command not found\nbash: wget: command not found\n');
});
