import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditAct } from '../../src/audit/audit-act.ts';
import { byteLines } from '../../scripts/lib/byte-lines.ts';
import { exportOf } from '../audit/logs.ts';
import { temporaryFolder } from './temporary.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const ACT: AuditAct = {
  act: 'run_ended',
  subject: 'run_é',
  details: { skill: 'x', layer: 'org', status: 'failed', stopReason: 'step_failed' },
};
const { lines, links } = exportOf([ACT, ACT, ACT]);
const TEXT = `${lines.join('\n')}\n`;
const [first, , third] = links.map(({ sequence, digest }) => `${sequence}:${digest}`);

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Runs the command as a person would. */
async function verify(words: readonly string[], input = '', token = 'TOKEN') {
  const child = spawn(process.execPath, ['scripts/audit-verify.ts', ...words], {
    cwd: PROJECT,
    env: { ...process.env, SKILLEDGE_TOKEN: token },
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (error += String(data)));
  child.stdin.on('error', () => undefined).end(input);
  const [status] = await once(child, 'close');
  return { status, out, error };
}

const file = (text: string | Uint8Array) => join(temporaryFolder({ 'log.jsonl': text }), 'log.jsonl');

describe('npm run audit:verify', () => {
  it('ends with 0 and the head where everything fits', async () => {
    const said = `every record fits; the head is ${third}\n`;
    expect(await verify([file(TEXT)])).toEqual({ status: 0, out: said, error: '' });
    expect(await verify(['-', '--head', first ?? ''], TEXT)).toEqual({ status: 0, out: said, error: '' });
  });

  it.each([
    [
      'an edit',
      TEXT.replace('"step_failed"', '"completed"'),
      'line 2: the record is not what its digest says',
    ],
    ['a removal', lines.toSpliced(1, 1).join('\n') + '\n', 'line 2: record 2 stands behind record 0'],
    ['a reordering', [lines[0], lines[2], lines[1], lines[3], ''].join('\n'), 'line 2: record 2 stands'],
    ['a cut', `${lines.slice(0, 3).join('\n')}\n`, 'it ends with record 2:'],
    ['an empty line', TEXT.replace('\n', '\n\n'), 'line 2: this is no record'],
    ['a carriage return', TEXT.replaceAll('\n', '\r\n'), 'line 1: this is not the first line'],
    ['no end', TEXT.slice(0, -1), 'line 4: this is no record'],
    ['nothing', '', 'there is no log'],
  ])('ends with 1 and the line for %s', async (_name, text, message) => {
    const { status, out, error } = await verify([file(text)]);
    expect([status, out]).toEqual([1, '']);
    expect(error).toContain(message);
  });

  it('finds bytes that are no text', async () => {
    const bytes = new TextEncoder().encode(TEXT);
    const { status, error } = await verify([file(bytes.with(bytes.indexOf(0xc3), 0xff))]);
    expect([status, error]).toEqual([1, expect.stringContaining('line 2: this is no record')]);
  });

  it('finds that the log stood elsewhere', async () => {
    const { lines: others } = exportOf([{ ...ACT, subject: 'run_2' }, ACT, ACT]);
    const made = `${others.join('\n')}\n`;
    expect(await verify([file(made)])).toMatchObject({ status: 0 });
    expect(await verify([file(made), '--head', third ?? ''])).toMatchObject({
      status: 1,
      error: `${third}, which is known, is not in it\n`,
    });
  });

  it('reads a deployment', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url, request.headers.authorization);
      response.end(request.headers.authorization === 'Bearer TOKEN' ? TEXT : undefined);
    }).listen(0);
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const answer = await verify(['--url', `http://localhost:${port}`, '--log', 'bundled']);
    expect(answer).toMatchObject({ status: 0, error: '' });
    expect(asked).toEqual(['/v1/audit?format=jsonl&log=bundled', 'Bearer TOKEN']);
  });

  it.each([[[]], [['a', '--url', 'http://localhost']], [['nowhere.jsonl']], [['-', '--head', '7']]])(
    'ends with 2 for %j',
    async (words) => {
      expect(await verify(words)).toMatchObject({ status: 2, out: '' });
    },
  );
});

describe('lines of bytes', () => {
  async function read(limit: number, ...chunks: string[]) {
    async function* source() {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    }
    const found = [];
    for await (const line of byteLines(source(), limit)) found.push(line);
    return found;
  }

  it('are the same however they arrive', async () => {
    expect(await read(10, 'a\nbc\n')).toEqual(['a', 'bc']);
    expect(await read(10, 'a', '\nb', 'c', '\n')).toEqual(['a', 'bc']);
    expect(await read(10, 'a\n', '\n', 'x')).toEqual(['a', '', null]);
  });

  it('are cut where they are too long', async () => {
    const [line = ''] = await read(3, ...Array.from({ length: 100 }, () => 'ab'), '\n');
    expect(line?.length).toBeLessThan(8);
  });
});
