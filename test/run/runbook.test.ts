import { expect, test } from 'vitest';
import { shellBlocks } from '../../src/prompt/shell-blocks.ts';
import type { Message, ToolResult } from '../../src/model/message.ts';
import type { ModelReply } from '../../src/model/model.ts';
import { runbook } from '../../src/run/runbook.ts';
import { bash } from './support.ts';

const tools = [{ name: 'Bash', description: '', inputSchema: {}, commands: ['cat', 'ls'] }];

function asked(prompt: string, results: Partial<ToolResult>[] = []): Promise<ModelReply> {
  const messages: Message[] = [{ role: 'user', text: prompt }];
  for (const [index, result] of results.entries()) {
    const call = { id: `step-${index + 1}`, tool: 'Bash', input: { command: '' } };
    messages.push({ role: 'assistant', text: '', calls: [call] });
    messages.push({
      role: 'tool',
      call,
      result: { stdout: '', stderr: '', exitCode: 0, refused: false, ...result },
    });
  }
  return runbook(shellBlocks(prompt)).next({ agent: 'test', messages, tools });
}

test('asks for the blocks one by one, each with an id of its own', async () => {
  const prompt = `# Steps\n\n${bash('cat a', 'ls b')}\n\n~~~js\nno()\n~~~\n`;
  expect(await asked(prompt)).toMatchObject({
    calls: [{ id: 'step-1', tool: 'Bash', input: { command: 'cat a' } }],
  });
  expect(await asked(prompt, [{}])).toMatchObject({ calls: [{ id: 'step-2', input: { command: 'ls b' } }] });
});

test('answers with what the last block printed, and nothing else', async () => {
  const reply = await asked(bash('cat a', 'ls b'), [
    { stdout: 'first\n' },
    { stdout: 'second\n', stderr: 'noise' },
  ]);
  expect(reply).toEqual({ kind: 'final', stopReason: 'completed', text: 'second\n' });
});

test('stops at the first failure and shows what there is', async () => {
  const reply = await asked(bash('cat a', 'ls b'), [
    { stdout: 'half\n', stderr: 'cat: a: gone\n', exitCode: 3 },
  ]);
  expect(reply).toMatchObject({ kind: 'final', stopReason: 'step_failed' });
  expect(reply.text).toBe('Step 1 of 2 failed with exit code 3.\n\nhalf\n\ncat: a: gone');
});

test('names every missing command of every block, once, before the first block runs', async () => {
  const reply = await asked(bash('cat a | docker load', 'npm test; docker ps'));
  expect(reply).toMatchObject({ kind: 'final', stopReason: 'commands_missing' });
  expect(reply.text).toContain('docker, npm');
});

test.each(['', 'no blocks', '```js\n1\n```', '```bash\n\n```'])('has no steps in %j', async (prompt) => {
  expect(await asked(prompt)).toMatchObject({ kind: 'final', stopReason: 'no_steps' });
});
