import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { toolbox } from '../../src/tool/toolbox.ts';
import { drain, runs, startOf, stubOf, useDependencies } from '../run/support.ts';
import { RealServer, SERVER_URL } from './mcp-server.ts';
import { allTools, answersOf, NO_PORTS, oneByOne } from './support.ts';

test.each([
  ['slow', 'what a server did not call idempotent is not done again', 1],
  ['slow-read', 'what it calls read-only is', 2],
])('killed while %s runs: %s', async (tool, _, times) => {
  const server = new RealServer();
  const pause = { reached: false };
  server.pause = async () => {
    if (pause.reached) return;
    pause.reached = true;
    for (;;) await scheduler.wait(5);
  };
  useDependencies({
    model: () => oneByOne([[`mcp__real__${tool}`, {}]]),
    tools: (start) => toolbox(start, { ...NO_PORTS, fetch: server.fetch }),
  });
  const start = startOf({
    organisation: `killed-${tool}`,
    tools: allTools('mcp__real'),
    mcpServers: { real: { url: SERVER_URL, headers: {} } },
    rules: [{ effect: 'allow', pattern: 'mcp__real', layer: 'organisation' }],
  });
  await runs.start(start);
  while (!pause.reached) {
    const woken = runDurableObjectAlarm(stubOf(start)).catch(() => false);
    await Promise.race([woken, whenReached(pause)]);
  }
  await abortAllDurableObjects();
  const run = await drain(start);
  expect(server.done).toEqual(Array.from({ length: times }, () => tool));
  expect(answersOf(run)).toEqual([times === 1 ? expect.stringMatching(/^130: interrupted: /) : 'slept\n']);
  expect(run).toMatchObject({ status: 'succeeded', usage: { toolCalls: 1 } });
});

async function whenReached(pause: { readonly reached: boolean }): Promise<void> {
  while (!pause.reached) await scheduler.wait(5);
}
