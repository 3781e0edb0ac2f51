/** A server that is killed again and again, as by a power cut, while runs work: every run ends as if nothing had been. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from '../scripts/temporary.ts';
import { PROJECT, startServer, type StartedServer } from './started-server.ts';

const STEPS = 8;
const RUNS = 5;
const KILLS = 5;
/** A server lives a little longer than a step takes: most kills are inside of one, and each life gets on. */
const STEP_SECONDS = 3;
const LIFE_MILLISECONDS = 4_000;
/** Away from the servers of other tests: two that look for a port at the same time find the same one. */
const PORT = ['--port', '18787'];

const Run = z.object({
  id: z.string(),
  status: z.string(),
  stopReason: z.string().nullable(),
  result: z.string().nullable(),
  endedAt: z.string().nullable(),
  steps: z.array(z.object({ sequence: z.number(), state: z.string(), attempts: z.number() })),
});

let server: StartedServer;
afterAll(async () => {
  await server?.stop();
});

function steps(): string {
  return Array.from({ length: STEPS }, (_, index) => {
    const last = index === STEPS - 1 ? 'cat log.txt' : `sleep ${STEP_SECONDS}; echo ${index} >> log.txt`;
    return `\`\`\`bash\n${last}\n\`\`\`\n`;
  }).join('\n');
}

async function ask(method: string, path: string, body?: object): Promise<z.infer<typeof Run>> {
  const token = readFileSync(join(server.directory, 'token'), 'utf8');
  const response = await fetch(new URL(path, server.origin), {
    method,
    headers: { Authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return Run.parse(await response.json());
}

function publish(): void {
  const source = temporaryFolder({ 'slow/SKILL.md': skillText('slow', 'context: fork\n', steps()) });
  const bundle = temporaryFolder();
  const script = (name: string, ...words: string[]) =>
    spawnSync(process.execPath, [`scripts/${name}.ts`, ...words], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: {
        ...process.env,
        SKILLEDGE_TOKEN: readFileSync(join(server.directory, 'token'), 'utf8'),
      },
    });
  script('build', '--no-bundled', '--source', `org=${source}`, '--out', bundle);
  expect(script('push', '--to', server.origin, '--bundle', bundle).status).toBe(0);
}

it('loses and doubles nothing, and needs no request to go on', async () => {
  server = await startServer(PORT);
  publish();
  const started = await Promise.all(
    Array.from({ length: RUNS }, () => ask('POST', '/v1/runs', { skill: 'slow' })),
  );
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, LIFE_MILLISECONDS));
    await server.kill();
    server = await startServer(PORT, server.directory);
  }
  // Nobody asks for the runs until they must have ended.
  await new Promise((resolve) => setTimeout(resolve, (STEPS * STEP_SECONDS + 8) * 1_000));
  const asked = Date.now();
  const ended = await Promise.all(started.map(({ id }) => ask('GET', `/v1/runs/${id}`)));
  const log = Array.from({ length: STEPS - 1 }, (_, index) => `${index}\n`).join('');
  for (const run of ended) {
    expect(run).toMatchObject({ status: 'succeeded', stopReason: 'completed', result: log });
    expect(Date.parse(run.endedAt ?? '')).toBeLessThan(asked);
    expect(run.steps.map(({ sequence, state }) => [sequence, state])).toEqual(
      Array.from({ length: 2 * STEPS + 1 }, (_, index) => [index, 'done']),
    );
  }
  const attempts = ended.flatMap((run) => run.steps.map((step) => step.attempts));
  expect(Math.max(...attempts)).toBeGreaterThan(1);
}, 300_000);
