import { expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import { called } from './support.ts';

const LIMIT = RUN_LIMITS.toolOutputCharacters;

test('what is cut of an output stays readable in the sandbox, and is no file of the run’s', async () => {
  const { run, answers } = await called([
    ['Bash', { command: 'seq 10000' }],
    ['Bash', { command: 'wc -l < /tmp/outputs/1.txt; tail -1 /tmp/outputs/1.txt' }],
    ['Read', { file_path: '/tmp/outputs/1.txt', offset: 10000 }],
    ['Bash', { command: 'seq 10000 >&2; echo said' }],
    ['Bash', { command: 'tail -1 /tmp/outputs/7-errors.txt' }],
  ]);
  expect(answers[0]).toMatch(
    /\[\d+ more characters were cut; all of it can be read in \/tmp\/outputs\/1\.txt\]\n$/,
  );
  expect(answers[0]?.length).toBeLessThan(LIMIT + 200);
  expect(answers[1]?.trim()).toBe('10000\n10000');
  expect(answers[2]).toBe('10000\t10000\n');
  expect(answers[3]).toMatch(/^said\n1\n2\n/);
  expect(answers[4]).toBe('10000\n');
  expect(run.files).toEqual([]);
});

test('an output longer than what is kept is kept in whole characters', async () => {
  const { answers } = await called(
    [
      ['Bash', { command: 'cat bells bells' }],
      ['Read', { file_path: '/tmp/outputs/1.txt' }],
    ],
    { files: { bells: new Uint8Array(1024 * 1024).fill(7) } },
  );
  expect(answers[0]).toMatch(/the first 4194303 bytes can be read in \/tmp\/outputs\/1\.txt\]\n$/);
  expect(answers[1]).toMatch(/^1\t\u2407{2000} \[\d+ more characters\]/);
});

test('an output that finds no room, or something else in its place, is cut all the same', async () => {
  const { run, answers } = await called([
    ['Bash', { command: 'echo > /tmp/outputs; seq 10000' }],
    ['Bash', { command: 'rm /tmp/outputs; seq 10000' }],
  ]);
  expect(answers[0]).toMatch(/more characters were cut\]\n$/);
  expect(answers[1]).toMatch(/can be read in \/tmp\/outputs\/3\.txt\]\n$/);
  expect(run.status).toBe('succeeded');
  const full = Object.fromEntries(
    Array.from({ length: 31 }, (_, index) => [`f${index}`, new Uint8Array(1024 * 1024)]),
  );
  const packed = await called([['Bash', { command: 'cp f1 g; seq 10000' }]], { files: full });
  expect(packed.answers[0]).toMatch(/more characters were cut; the workspace has no room for them\]\n$/);
  expect(packed.run.status).toBe('succeeded');
});

test('what a terminal would act on is shown and not sent', async () => {
  const { answers } = await called([
    ['Bash', { command: String.raw`printf 'a\033[31mb\0c\x7fd\te\r\n'` }],
    ['Bash', { command: String.raw`printf '\033]0;x\007' >&2; exit 3` }],
  ]);
  expect(answers).toEqual(['a\u241b[31mb\u2400c\u2421d\te\r\n', '3: \u241b]0;x\u2407']);
});
