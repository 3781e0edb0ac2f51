import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Call } from './exchange.ts';

const CONNECTIONS = 16;
const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');

const LoadReport = z.object({
  duration: z.number().positive(),
  errors: z.int(),
  timeouts: z.int(),
  statusCodeStats: z.record(z.string(), z.object({ count: z.int() })),
  requests: z.object({ total: z.int() }),
  throughput: z.object({ total: z.int() }),
});

export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * Makes the same call over and over from a process of its own, whose CPU time counts for nobody. Fails unless every
 * answer had the expected status and all of them together had exactly the expected bytes.
 */
export async function applyLoad(
  call: Call,
  seconds: number,
  expected: { status: number; wireBytes: number },
): Promise<Load> {
  const headers = Object.entries(call.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const body = call.body === null ? [] : ['--body', call.body];
  const amount = ['--connections', String(CONNECTIONS), '--duration', String(seconds)];
  const args = [AUTOCANNON, '--json', ...amount, '--method', call.method, ...headers, ...body, call.url.href];
  const report = LoadReport.parse(JSON.parse(await output(args)));
  const { errors, timeouts, statusCodeStats, duration } = report;
  const [count, bytes] = [report.requests.total, report.throughput.total];
  const good = statusCodeStats[expected.status]?.count ?? 0;
  const where = `${call.method} ${call.url.pathname}`;
  if (errors > 0 || timeouts > 0) throw new Error(`${where}: ${errors} errors, ${timeouts} timeouts`);
  if (count === 0 || good !== count) {
    throw new Error(`${where}: not every status was ${expected.status}: ${JSON.stringify(statusCodeStats)}`);
  }
  if (bytes !== count * expected.wireBytes) {
    throw new Error(
      `${where}: ${count} answers of ${expected.wireBytes} bytes each, but ${bytes} bytes came`,
    );
  }
  return { requests: count, seconds: duration };
}

function output(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [text, remarks] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (remarks += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`autocannon failed: ${remarks}`)),
    );
  });
}
