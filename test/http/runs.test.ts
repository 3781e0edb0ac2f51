import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const Run = z.object({
  id: z.string(),
  status: z.string(),
  stopReason: z.string().nullable(),
  result: z.string().nullable(),
  engine: z.string(),
  tools: z.object({
    declared: z.array(z.string()),
    granted: z.array(z.string()),
    missing: z.array(z.string()),
  }),
  steps: z.array(z.object({ kind: z.string(), state: z.string(), attempts: z.number() })),
  files: z.array(z.object({ path: z.string(), size: z.number() })),
});

let organisation = '';
let token = '';
beforeAll(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await push(
    token,
    'org',
    treeOf({
      'count/SKILL.md': skillText(
        'count',
        'context: fork\n',
        'Count.\n\n```bash\nwc -l < notes.txt | tr -d " "\n```\n\n```bash\nsh ${CLAUDE_SKILL_DIR}/scripts/done.sh > done.txt; cat done.txt\n```\n',
      ),
      'count/scripts/done.sh!': 'echo "counted for $SKILL_DIR"\n',
      'tools/SKILL.md': skillText(
        'tools',
        'context: fork\nallowed-tools: Bash(cat:*) WebFetch\n',
        '```bash\necho not cat\n```\n',
      ),
    }),
  );
  const permissions = { allow: ['Skill(tools)'] };
  await call('PUT', '/v1/settings', { token, body: { permissions } });
});

async function finished(id: string, as = token): Promise<z.infer<typeof Run>> {
  for (let tries = 0; tries < 200; tries += 1) {
    const run = Run.parse(await (await call('GET', `/v1/runs/${id}`, { token: as })).json());
    if (run.status !== 'running') return run;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the run did not end');
}

const files = [{ path: 'notes.txt', text: 'one\ntwo\n' }];

describe('forked runs', () => {
  it('start from an invocation and end with the result of the last step', async () => {
    const response = await call('POST', '/v1/invoke', { token, body: { skill: 'count', files } });
    expect(response.status).toBe(202);
    const { status, run } = z.object({ status: z.string(), run: Run }).parse(await response.json());
    expect([status, response.headers.get('Location')]).toEqual(['forked', `/v1/runs/${run.id}`]);
    const ended = await finished(run.id);
    expect(ended).toMatchObject({
      status: 'succeeded',
      stopReason: 'completed',
      engine: 'runbook',
      result: 'counted for /skills/count\n',
    });
    expect(ended.steps.every((step) => step.state === 'done' && step.attempts === 1)).toBe(true);
    expect(ended.files.map(({ path }) => path)).toEqual(['done.txt', 'notes.txt']);
  });

  it('can be waited for', async () => {
    const start = { token, body: { skill: 'count', files }, headers: { Prefer: 'respond-async, wait=20' } };
    const response = await call('POST', '/v1/runs', start);
    expect([response.status, Run.parse(await response.json()).status]).toEqual([200, 'succeeded']);
    expect(await (await call('POST', '/v1/invoke', start)).json()).toMatchObject({
      status: 'forked',
      run: { status: 'succeeded' },
    });
    const { id } = Run.parse(await (await call('POST', '/v1/runs', { ...start, headers: {} })).json());
    const read = await call('GET', `/v1/runs/${id}`, { token, headers: { Prefer: 'wait=20' } });
    expect(Run.parse(await read.json()).status).toBe('succeeded');
  });

  it('start by name, once for each idempotency key', async () => {
    const start = (key: string, body: unknown) =>
      call('POST', '/v1/runs', { token, body, headers: { 'Idempotency-Key': key } });
    const [first, second] = await Promise.all([
      start('k', { skill: 'count', files }),
      start('k', { skill: 'count', files }),
    ]);
    expect([first.status, second.status]).toEqual([202, 202]);
    const ids = await Promise.all(
      [first, second].map(async (response) => Run.parse(await response.json()).id),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(await (await start('k', { skill: 'count', files: [] })).json()).toMatchObject({
      code: 'run_conflict',
    });
    expect(Run.parse(await (await start('other', { skill: 'count', files })).json()).id).not.toBe(ids[0]);
  });

  it('are the same run for a repeat, whatever became of the skill since', async () => {
    const own = await tokenFor(newOrganisation());
    const publish = (text: string) =>
      push(
        own,
        'org',
        treeOf({ 'moves/SKILL.md': skillText('moves', '', `\`\`\`bash\necho ${text}\n\`\`\`\n`) }),
      );
    const start = async (skill: string, headers: Record<string, string>) =>
      (await call('POST', '/v1/runs', { token: own, body: { skill, trigger: 'user' }, headers })).json();
    const key = { 'Idempotency-Key': 'lost' };
    await publish('before');
    const first = Run.parse(await start('moves', key));
    await publish('after');
    expect(Run.parse(await start('moves', { ...key, Prefer: 'wait=20' }))).toMatchObject({
      id: first.id,
      result: 'before\n',
    });
    expect(Run.parse(await start('moves', { Prefer: 'wait=20' })).result).toBe('after\n');
  });

  it('of tokens with other bounds are other runs, whatever their key', async () => {
    const start = async (layers: string[] | null) => {
      const own = await tokenFor(organisation, { layers });
      const body = { skill: 'count', files };
      const response = await call('POST', '/v1/runs', {
        token: own,
        body,
        headers: { 'Idempotency-Key': 'same' },
      });
      return Run.parse(await response.json()).id;
    };
    const ids = [
      await start(['user:alice']),
      await start(['user:bob']),
      await start(null),
      await start(['user:alice']),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });

  it('have only tools that were declared and granted, and say what is missing', async () => {
    const start = async (body: unknown) =>
      finished(Run.parse(await (await call('POST', '/v1/runs', { token, body })).json()).id);
    const run = await start({ skill: 'tools', files });
    expect(run.tools).toEqual({
      declared: ['Bash(cat:*)', 'WebFetch'],
      granted: ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep', 'Skill'],
      missing: ['WebFetch'],
    });
    expect(run).toMatchObject({ status: 'failed', stopReason: 'step_failed' });
    const narrowed = await start({ skill: 'count', files, grants: ['Read'] });
    expect(narrowed.tools.missing).toContain('Bash');
    expect(narrowed.status).toBe('failed');
  });

  it('are unknown to other organisations, and to tokens bound elsewhere', async () => {
    const bound = await tokenFor(organisation, { layers: ['user:alice'] });
    const { id } = Run.parse(
      await (await call('POST', '/v1/runs', { token: bound, body: { skill: 'count', files } })).json(),
    );
    await finished(id, bound);
    const outsiders = [
      await tokenFor(newOrganisation()),
      await tokenFor(organisation, { layers: ['user:bob'] }),
    ];
    for (const outsider of outsiders) {
      expect(await (await call('GET', `/v1/runs/${id}`, { token: outsider })).json()).toMatchObject({
        code: 'run_unknown',
        status: 404,
      });
    }
    expect((await call('GET', `/v1/runs/${id}`, { token })).status).toBe(200);
  });

  it.each([
    [[{ path: '../x', text: '' }]],
    [[{ path: '/x', text: '' }]],
    [
      [
        { path: 'x', text: '' },
        { path: 'x', text: '' },
      ],
    ],
    [[{ path: 'x', text: '', base64: '' }]],
    [[{ path: 'x' }]],
    [[{ path: 'x', base64: '***' }]],
    [[{ path: 'x', text: 'x'.repeat(1024 * 1024 + 1) }]],
  ])('refuse files that cannot be placed: %#', async (bad) => {
    const response = await call('POST', '/v1/runs', { token, body: { skill: 'count', files: bad } });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, 'bad_request']);
  });
});
