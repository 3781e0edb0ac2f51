import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { Digest } from '../../src/core/digest.ts';

const FIRST_PORT = 8787;
const PORTS_TRIED = 20;
const START_MILLISECONDS = 60_000;

/** The first port from 8787 on that nothing listens on; `busy` are those that were taken. */
export async function freePort(first: number = FIRST_PORT): Promise<{ port: number; busy: number[] }> {
  const busy: number[] = [];
  for (let port = first; port < first + PORTS_TRIED; port += 1) {
    if (await canListen(port)) return { port, busy };
    busy.push(port);
  }
  throw new Error(
    `the ports ${first} to ${first + PORTS_TRIED - 1} are all taken: stop something, or use --port`,
  );
}

/** Both loopback addresses: a server on either of them would get some of our clients. */
async function canListen(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once('error', (error) => resolve('code' in error && error.code === 'EADDRNOTAVAIL'));
      probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
    });
    if (!free) return false;
  }
  return true;
}

export interface LocalServer {
  readonly url: URL;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts `wrangler dev` on a loopback address as a local deployment, and waits until it answers. */
export async function startLocalServer(options: {
  readonly port: number;
  readonly stateDirectory: string;
  readonly tokenHash: Digest;
  /** Secrets of the deployment, in a file that only its owner reads: a command line is for everybody to see. */
  readonly secretsFile: string;
  /** Leaves out what the server prints: its log has a line for every use of a skill. */
  readonly quiet?: boolean;
}): Promise<LocalServer> {
  const url = new URL(`http://localhost:${options.port}`);
  const child = spawn(
    'wrangler',
    [
      'dev',
      '--ip=localhost',
      `--port=${options.port}`,
      '--inspector-port=0',
      `--persist-to=${options.stateDirectory}`,
      '--log-level=warn',
      '--show-interactive-dev-session=false',
      '--var=DEPLOYMENT:local',
      `--var=DEVELOPMENT_TOKEN_HASH:${options.tokenHash}`,
      `--env-file=${options.secretsFile}`,
    ],
    {
      stdio: ['ignore', options.quiet === true ? 'ignore' : 'inherit', 'inherit'],
      // No question may be asked and nothing may be fetched: a newcomer may well be offline.
      env: {
        ...process.env,
        CI: 'true',
        WRANGLER_SEND_METRICS: 'false',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      },
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const deadline = Date.now() + START_MILLISECONDS;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(new URL('/healthz', url)).catch(() => null);
    if (answer?.ok) return { url, process: child, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (child.exitCode === null) await stop();
  throw new Error('the local server did not start; what it printed is above');
}
