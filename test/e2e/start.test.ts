import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from '../scripts/temporary.ts';
import { BODIES } from '../support/scanned.ts';
import { PROJECT, startServer, type StartedServer } from './started-server.ts';

const README = readFileSync(join(PROJECT, 'README.md'), 'utf8');
/** The lines of the README's "Five lines to try": each command, and a part of what it answers. */
const README_LINES = [...README.matchAll(/^(curl .+)\n#=> (.+)$/gm)].map(
  ([, command = '', expected = '']) => ({ command, expected }),
);

/** The README's block of commands that has this in it. */
function blockWith(text: string): string {
  const blocks = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.find((block) => block.includes(text)) ?? '';
}

let server: StartedServer;
const blocker = createServer();

beforeAll(async () => {
  // A port that is taken before the server looks for one.
  await new Promise<void>((resolve) => blocker.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const address = blocker.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  server = await startServer(['--port', String(port)]);
}, 90_000);

afterAll(async () => {
  await server?.stop();
  blocker.close();
});

describe('npm start', () => {
  it('is ready within 20 seconds, past a port that is taken, and says so', () => {
    expect(server.milliseconds).toBeLessThan(20_000);
    expect(server.output()).toMatch(/port \d+ is taken; using \d+/);
  });

  it('writes a token that only its owner can read', () => {
    const file = join(server.directory, 'token');
    expect(readFileSync(file, 'utf8')).toMatch(/^ske-dev_dev_[\w-]{43}$/);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('has five lines in the README', () => {
    expect(README_LINES).toHaveLength(5);
  });

  it.each(README_LINES)('answers as the README says: $command', ({ command, expected }) => {
    expect(bash(command)).toContain(expected.trim());
  });

  it('runs the README’s run that asks a person, from its start to its result', () => {
    const text = skillText(
      'tidy',
      'context: fork\n',
      '```bash\necho x > old; ls\n```\n\n```bash\nrm old; echo tidy\n```\n',
    );
    const skill = 'curl -s -H "$A" http://localhost:8787/v1/layers/org/skills/tidy';
    const [remark = '', place = '', start = '', events = '', approve = ''] =
      blockWith('"skill": "tidy"').split('\n');
    const settings = /\("?with ("permissions": .*) in the settings\)/.exec(remark)?.[1] ?? '';
    const token = 'A="Authorization: Bearer $(cat .dev/token)"';
    const put = `curl -s -X PUT -H "$A" http://localhost:8787/v1/settings -d '{${settings}}'`;
    const waits = `until curl -s -H "$A" $R/$ID | grep -q '"status":"requires_action"'; do sleep 0.2; done`;
    const lines = [
      token,
      put,
      `${skill} -X PUT -d '${JSON.stringify({ files: [{ path: 'SKILL.md', text }] })}'`,
      place,
      start,
      // In another terminal.
      `${events} &`,
      waits,
      approve,
      'wait',
      `curl -s -H "$A" $R/$ID`,
      `${skill} -X DELETE`,
    ];
    const answer = bash(lines.join('\n'));
    expect(answer).toMatch(/event: run\.waiting[\s\S]*event: run\.ended/);
    expect(answer).toMatch(/"status":"succeeded"[\s\S]*"result":"tidy\\n"/);
  });

  it('runs the README’s run with a key, against a server that speaks as its provider does', () => {
    const origin = inject('models');
    const block = blockWith('/v1/secrets/ANTHROPIC')
      .replaceAll('https://api.anthropic.com', origin)
      .replace('"kind": "anthropic",', `"kind": "anthropic", "baseUrl": "${origin}/anthropic/v1",`)
      // The part that the server plays.
      .replaceAll('claude-opus-4-5', 'steps');
    const answer = bash(`ANTHROPIC_API_KEY=sk-of-the-test\n${block}`);
    expect(answer).toMatch(/"status":"succeeded"[\s\S]*"engine":"anthropic","model":"steps"/);
    expect(answer).toContain('1 file, 2 lines, 2 words, 8 bytes.');
    expect(answer).not.toContain('sk-of-the-test');
  });
});

/** What these commands print, at the server that was started. */
function bash(commands: string): string {
  const here = commands
    .replaceAll('http://localhost:8787', server.origin)
    .replaceAll('.dev/token', join(server.directory, 'token'));
  return execFileSync('bash', ['-c', here], { encoding: 'utf8', timeout: 50_000 });
}

describe('npm run build and npm run push', () => {
  const run = (
    script: string,
    words: readonly string[],
    token = readFileSync(join(server.directory, 'token'), 'utf8'),
  ) =>
    spawnSync(process.execPath, [`scripts/${script}.ts`, ...words], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: { ...process.env, SKILLEDGE_TOKEN: token },
    });

  it('bring skills into the running server, and send nothing twice', async () => {
    const source = temporaryFolder({ 'fresh/SKILL.md': skillText('fresh') });
    const bundle = temporaryFolder();
    expect(run('build', ['--no-bundled', '--source', `org=${source}`, '--out', bundle]).status).toBe(0);
    const words = ['--to', server.origin, '--bundle', bundle, '--json'];
    const first = JSON.parse(run('push', words).stdout);
    expect(first).toMatchObject({ layers: [{ layer: 'org', skills: 1, sentBlobs: 7, moved: true }] });
    const again = JSON.parse(run('push', words).stdout);
    expect(again).toMatchObject({ layers: [{ layer: 'org', sentBlobs: 0, requests: 1, moved: false }] });
    const token = readFileSync(join(server.directory, 'token'), 'utf8');
    const body = await fetch(new URL('/v1/skills/fresh/body', server.origin), {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await body.text()).toBe('How to fresh.\n');
    const verified = run('audit-verify', ['--url', server.origin]);
    expect([verified.status, verified.stderr, verified.stdout]).toEqual([
      0,
      '',
      expect.stringMatching(/^every record fits; the head is [1-9]/),
    ]);
  });

  it('leave out what may not be published, and say where it waits', () => {
    const source = temporaryFolder({
      'bad/SKILL.md': skillText('bad', '', BODIES.dangerous),
      'good/SKILL.md': skillText('good'),
    });
    const bundle = temporaryFolder();
    run('build', ['--no-bundled', '--source', `user:me=${source}`, '--out', bundle]);
    const words = ['--to', server.origin, '--bundle', bundle];
    const first = run('push', words);
    expect(first.stderr).toMatch(/not published: bad \(dangerous, held\): GET \/v1\/quarantine\/qua_\w+/);
    expect([first.status, first.stdout.includes('now at')]).toEqual([3, true]);
    const again = run('push', [...words, '--json']);
    expect([again.status, JSON.parse(again.stdout)]).toMatchObject([
      3,
      { layers: [{ moved: false, heldCount: 1, held: [{ name: 'bad' }] }] },
    ]);
  });

  it.each([
    [['--to', 'nowhere'], /needs the URL/, 2],
    [['--to', 'http://127.0.0.1:9', '--bundle', 'dist/none'], /npm run build/, 1],
  ])('say what to do instead of %j', (words, message, status) => {
    const result = run('push', words);
    expect([result.status, message.test(result.stderr)]).toEqual([status, true]);
  });

  it('say that a token is wrong', () => {
    const bundle = temporaryFolder();
    run('build', ['--out', bundle]);
    const result = run('push', ['--to', server.origin, '--bundle', bundle], 'ske_dev_wrong');
    expect([result.status, /unauthenticated/.test(result.stderr)]).toEqual([1, true]);
  });
});
