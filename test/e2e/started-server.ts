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
  /** Ends all of its processes at once, as a power cut does; what it stored stays. */
  kill(): Promise<void>;
}

/**
 * Runs what `npm start` runs, as a person would, and waits until it says what to try. It has a folder of its own, or that of
 * a server before it.
 */
export async function startServer(
  more: readonly string[] = [],
  directory: string = mkdtempSync(join(tmpdir(), 'skilledge-start-')),
): Promise<StartedServer> {
  const started = performance.now();
  const child = spawn(process.execPath, ['scripts/start.ts', '--directory', directory, ...more], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The leader of a process group, which can be killed as one.
    detached: true,
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
    async kill() {
      const exit = new Promise<void>((resolveExit) => child.once('exit', () => resolveExit()));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await exit;
    },
  };
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolveCode) => {
    child.once('exit', (code) => resolveCode(code));
    child.kill('SIGTERM');
  });
}
