import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const PROJECT = resolve(import.meta.dirname, '../..');

export interface StartedServer {
  readonly origin: string;
  readonly directory: string;
  readonly output: () => string;
  readonly milliseconds: number;
  stop(): Promise<number | null>;
}

/** Runs what `npm start` runs, as a person would, in a folder of its own, and waits until it says what to try. */
export async function startServer(more: readonly string[] = []): Promise<StartedServer> {
  const directory = mkdtempSync(join(tmpdir(), 'skilledge-start-'));
  const started = performance.now();
  const child = spawn(process.execPath, ['scripts/start.ts', '--directory', directory, ...more], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const origin = await new Promise<string>((resolveOrigin, reject) => {
    const timer = setInterval(() => {
      const found = /Skilledge is at (http:\S+),[\s\S]*Stop with Ctrl-C/.exec(output)?.[1];
      if (found === undefined && child.exitCode === null) return;
      clearInterval(timer);
      if (found === undefined) reject(new Error(`the server did not start:\n${output}`));
      else resolveOrigin(found);
    }, 50);
  });
  return {
    origin,
    directory,
    output: () => output,
    milliseconds: performance.now() - started,
    async stop() {
      const code = await ended(child);
      rmSync(directory, { recursive: true, force: true });
      return code;
    },
  };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolveCode) => {
    child.once('exit', (code) => resolveCode(code));
    child.kill('SIGTERM');
  });
}
