import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { blobKey } from '../../src/store/keys.ts';
import { ORGANISATION, TestBlobs, shell, useDependencies } from './support.ts';

let blobs = new TestBlobs();

beforeEach(() => {
  blobs = new TestBlobs();
  useDependencies({ blobs });
});

function skillFiles() {
  return {
    'SKILL.md': blobs.add('# Steps\n'),
    'scripts/run.sh': {
      ...blobs.add('#!/bin/bash\necho "ran $1 in $(basename "$PWD")"\n'),
      executable: true,
    },
    'scripts/lib.sh': blobs.add('greet() { echo "hello $1"; }\n'),
    'data/a.csv': blobs.add('a,b\n'),
  };
}

test('listing, finding and testing files reads none of them', async () => {
  const script =
    'cd "$SKILL_DIR"; ls -lR; find . -name "*.sh" | sort; [ -x scripts/run.sh ] && [ ! -x SKILL.md ] && [ ! -w SKILL.md ] && echo modes; echo */*.csv';
  const { output, exitCode } = await shell(script, { skillFiles: skillFiles() });
  expect(exitCode).toBe(0);
  expect(output).toContain('./scripts/lib.sh\n./scripts/run.sh\nmodes\ndata/a.csv\n');
  expect(output).toMatch(/ 48 .*run\.sh/);
  expect(blobs.read).toEqual([]);
});

test('a file is read when it is used, and once', async () => {
  const { output } = await shell('cat $SKILL_DIR/data/a.csv $CLAUDE_SKILL_DIR/data/a.csv', {
    skillFiles: skillFiles(),
  });
  expect(output).toBe('a,b\na,b\n');
  expect(blobs.read).toEqual(['a,b\n']);
});

test.each([
  'bash $SKILL_DIR/scripts/run.sh x',
  'sh "$SKILL_DIR"/scripts/run.sh x',
  '$SKILL_DIR/scripts/run.sh x',
  '/skills/steps/scripts/run.sh x',
])('a script of the skill runs: %s', async (script) => {
  expect((await shell(script, { skillFiles: skillFiles() })).output).toBe('ran x in workspace\n');
});

test('a script of the skill can be sourced, its files copied', async () => {
  const script =
    '. $SKILL_DIR/scripts/lib.sh; greet you; cp -r $SKILL_DIR/data .; echo c,d >> data/a.csv; cat data/a.csv';
  expect((await shell(script, { skillFiles: skillFiles() })).output).toBe('hello you\na,b\nc,d\n');
});

const D = '/skills/steps';
const writes: [string, string][] = [
  ['a redirection to a new file', `echo hi > ${D}/new`],
  ['a redirection to a file', `echo hi > ${D}/SKILL.md`],
  ['an appending redirection', `echo hi >> ${D}/SKILL.md`],
  ['a redirection of errors', `ls nothing 2> ${D}/errors`],
  ['both', `echo hi &> ${D}/both`],
  ['a redirection without a command', `> ${D}/SKILL.md`],
  ['a redirection of a group', `{ echo hi; } > ${D}/x`],
  ['a redirection of a loop', `for i in 1 2; do echo $i; done > ${D}/x`],
  ['a redirection inside a function', `f() { echo hi > ${D}/x; }; f`],
  ['a redirection in eval', `eval 'echo hi > ${D}/x'`],
  ['a redirection in another shell', `bash -c 'echo hi > ${D}/x'`],
  ['a redirection in a sourced file', `echo 'echo hi > ${D}/x' > s.sh; source ./s.sh`],
  ['a redirection below a file', `echo hi > ${D}/SKILL.md/x`],
  ['tee', `echo hi | tee ${D}/x > /dev/null`],
  ['touch', `touch ${D}/x`],
  ['cp', `echo 1 > f; cp f ${D}/x`],
  ['mv into it', `echo 1 > f; mv f ${D}/x`],
  ['mv out of it', `mv ${D}/SKILL.md x`],
  ['rm', `rm ${D}/SKILL.md`],
  ['rm -r', `rm -r ${D}`],
  ['mkdir', `mkdir ${D}/d`],
  ['chmod', `chmod +x ${D}/SKILL.md`],
  ['sed -i', `sed -i s/a/b/ ${D}/SKILL.md`],
  ['ln -s', `ln -s /etc ${D}/etc`],
];

test.each(writes)('%s fails with a message, and the script goes on', async (_, write) => {
  const script = `${write}\necho "code $?"; find ${D} -type f | wc -l; cat ${D}/SKILL.md`;
  const { run } = await shell(script, { skillFiles: skillFiles() });
  const output = run.steps[1]?.output ?? '';
  expect(output).toMatch(/code 1\n4\n# Steps\n.+\n$/);
});

test('rm -rf deletes nothing', async () => {
  const { output } = await shell(`rm -rf ${D} /skills 2>/dev/null; find ${D} -type f | wc -l`, {
    skillFiles: skillFiles(),
  });
  expect(output).toBe('4\n');
});

test('a failed redirection does what it does in a real shell', async () => {
  const script = `
echo hi > ${D}/x; echo "code $?"
echo hi > ${D}/x || echo 'else'
if echo hi > ${D}/x; then echo no; else echo 'if'; fi
for i in 1 2; do echo $i > ${D}/x; echo "loop $i"; done
[ -e ${D}/x ] || echo 'not there'
[ -f ${D}/SKILL.md ] && echo 'still there'
echo hi > no/such/directory; echo "code $?"
set -e
echo hi > ${D}/x || echo 'kept on'
echo 'before'
echo hi > ${D}/x
echo 'never'`;
  const { output, exitCode } = await shell(script, { skillFiles: skillFiles() });
  const printed = [
    'code 1',
    'else',
    'if',
    'loop 1',
    'loop 2',
    'not there',
    'still there',
    'code 1',
    'kept on',
    'before',
  ];
  const lines = output.split('\n');
  expect(lines.slice(0, printed.length)).toEqual(printed);
  expect(output).not.toContain('never');
  expect(lines.filter((line) => line.includes('cannot open redirect target'))).toHaveLength(8);
  expect(exitCode).toBe(1);
});

test('what a script did before and after a failed redirection is done once', async () => {
  const { output } = await shell(`echo 1 >> log; echo x > ${D}/x; echo 2 >> log; echo y > ${D}/y; cat log`, {
    skillFiles: skillFiles(),
  });
  expect(output).toMatch(/^1\n2\nbash: /);
});

test('through the deployment’s own storage', async () => {
  useDependencies();
  const { sha256, size } = blobs.add('from R2\n');
  await env.R2.put(blobKey(`o/${ORGANISATION}`, sha256), 'from R2\n');
  const { output } = await shell('cat $SKILL_DIR/a.txt', { skillFiles: { 'a.txt': { sha256, size } } });
  expect(output).toBe('from R2\n');
});
