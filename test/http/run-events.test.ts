import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const Run = z.looseObject({
  id: z.string(),
  status: z.string(),
  stopReason: z.string().nullable(),
  result: z.string().nullable(),
  requiredActions: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
});
type Run = z.infer<typeof Run>;
const Page = z.object({
  events: z.array(z.looseObject({ sequence: z.number(), type: z.string() })),
  next: z.number(),
  complete: z.boolean(),
});

let organisation = '';
let token = '';
beforeAll(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  const steps = (...scripts: string[]) =>
    scripts.map((script) => `\`\`\`bash\n${script}\n\`\`\`\n`).join('\n');
  const fork = 'context: fork\n';
  await push(
    token,
    'org',
    treeOf({
      'three/SKILL.md': skillText('three', fork, steps('echo one', 'echo two', 'echo three')),
      'asks/SKILL.md': skillText('asks', fork, steps('touch f', 'rm f', 'ls; echo gone')),
      'needs/SKILL.md': skillText(
        'needs',
        `${fork}allowed-tools: Bash\nmetadata:\n  openclaw:\n    requires:\n      tools: [WebFetch]\n`,
        steps('echo'),
      ),
    }),
  );
  const permissions = { ask: ['Bash(rm:*)'], allow: ['Skill(*)'] };
  await call('PUT', '/v1/settings', { token, body: { permissions } });
});

async function started(body: object, headers: Record<string, string> = {}): Promise<Run> {
  const response = await call('POST', '/v1/runs', { token, body, headers });
  return Run.parse(await response.json());
}

const object = { type: 'object' };
const WAIT = { Prefer: 'wait=20' };

/** Events of a stream, until the reader has enough or it ends. */
async function streamed(id: string, lastEventId: string | null, enough = Infinity) {
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId !== null && { 'Last-Event-ID': lastEventId }),
  };
  const response = await call('GET', `/v1/runs/${id}/events`, { token, headers });
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  const events: { id: number; event: string; data: unknown }[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  if (!reader) throw new Error('a stream without a body');
  while (events.length < enough) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]),
      );
      if (fields.has('data'))
        events.push({
          id: Number(fields.get('id')),
          event: fields.get('event') ?? '',
          data: JSON.parse(fields.get('data') ?? ''),
        });
    }
  }
  await reader.cancel();
  return events.slice(0, enough);
}

describe('events of a run', () => {
  it('are an ordered log in pages', async () => {
    const { id } = await started({ skill: 'three' }, WAIT);
    const read = async (query: string) =>
      Page.parse(await (await call('GET', `/v1/runs/${id}/events${query}`, { token })).json());
    const all = await read('');
    expect(all.complete).toBe(true);
    expect(all.events.map(({ sequence }) => sequence)).toEqual(all.events.map((_, index) => index + 1));
    expect([all.events[0]?.type, all.events.at(-1)]).toMatchObject([
      'run.started',
      { type: 'run.ended', status: 'succeeded', stopReason: 'completed' },
    ]);
    expect(all.events.filter(({ type }) => type === 'step.done')).toHaveLength(7);
    const rest = await read('?after=5');
    expect(rest.events).toEqual(all.events.slice(5));
    expect(await read(`?after=${all.next}`)).toEqual({ events: [], next: all.next, complete: true });
  });

  it('are streamed while they happen, and from where a reader was cut off', async () => {
    const { id } = await started({ skill: 'three' });
    const first = await streamed(id, null, 4);
    expect(first.map((event) => event.id)).toEqual([1, 2, 3, 4]);
    const rest = await streamed(id, '4');
    expect(rest[0]?.id).toBe(5);
    expect(rest.at(-1)).toMatchObject({ event: 'run.ended', data: { status: 'succeeded' } });
    const whole = await streamed(id, null);
    expect(whole).toEqual([...first, ...rest]);
    // Nothing is left, and a reader that came back by itself stops.
    for (const last of [String(whole.at(-1)?.id), '999999999']) {
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': last };
      expect((await call('GET', `/v1/runs/${id}/events`, { token, headers })).status).toBe(204);
    }
    for (const strange of ['', 'x', '-1', '1e3', '9'.repeat(40)])
      expect(await streamed(id, strange)).toEqual(whole);
  });

  it('are nobody else’s', async () => {
    const { id } = await started({ skill: 'three' });
    const stranger = await tokenFor(newOrganisation());
    for (const Accept of ['text/event-stream', 'application/json']) {
      const answer = await call('GET', `/v1/runs/${id}/events`, { token: stranger, headers: { Accept } });
      expect(answer.status).toBe(404);
    }
  });
});

describe('a run that waits', () => {
  it('says for what, goes on with an approval, and tells it all in its events', async () => {
    const waiting = await started({ skill: 'asks' }, WAIT);
    expect(waiting).toMatchObject({ status: 'requires_action', stopReason: null });
    const [action] = waiting.requiredActions;
    expect(action).toMatchObject({ kind: 'approval', tool: 'Bash', input: 'rm f' });
    const path = `/v1/runs/${waiting.id}/approvals`;
    const body = { id: action?.id, action: 'approve' };
    const powerless = await tokenFor(organisation, {
      scopes: ['skills:read', 'skills:invoke', 'runs:start'],
    });
    expect((await call('POST', path, { token: powerless, body })).status).toBe(403);
    const agent = await tokenFor(organisation, { actor: 'agent' });
    expect((await call('POST', path, { token: agent, body })).status).toBe(403);
    expect((await call('POST', path, { token, body: { ...body, id: 'act_99' } })).status).toBe(409);
    expect((await call('POST', path, { token, body })).status).toBe(200);
    const ended = Run.parse(
      await (await call('GET', `/v1/runs/${waiting.id}`, { token, headers: WAIT })).json(),
    );
    expect(ended).toMatchObject({ status: 'succeeded', result: 'gone\n' });
    const events = await streamed(waiting.id, null);
    expect(events.map(({ event }) => event)).toContain('run.waiting');
  });

  it('can be cancelled', async () => {
    const { id } = await started({ skill: 'asks' }, WAIT);
    const cancelled = Run.parse(await (await call('POST', `/v1/runs/${id}/cancel`, { token })).json());
    expect(cancelled).toMatchObject({ status: 'cancelled', stopReason: 'cancelled', requiredActions: [] });
    const late = await call('POST', `/v1/runs/${id}/tool-results`, {
      token,
      body: { id: 'act_4', output: '' },
    });
    expect(await late.json()).toMatchObject({ code: 'run_not_waiting', status: 409 });
  });
});

describe('the start of a run', () => {
  it('can be waited for by whoever does not want it in the background', async () => {
    expect(await started({ skill: 'three', background: false })).toMatchObject({ status: 'succeeded' });
  });

  it('can lower limits, and raise none', async () => {
    const run = await started({ skill: 'three', limits: { turns: 2, seconds: 60, depth: 0 } }, WAIT);
    expect(run).toMatchObject({
      status: 'stopped',
      stopReason: 'turn_limit',
      result: 'two\n',
      limits: { turns: 2, milliseconds: 60_000, depth: 0 },
    });
    for (const limits of [{ turns: 1000 }, { seconds: 1e9 }, { depth: 9 }, { nonsense: 1 }])
      expect((await call('POST', '/v1/runs', { token, body: { skill: 'three', limits } })).status).toBe(400);
  });

  it('is refused where the skill says that it needs a tool that nobody grants', async () => {
    const refused = await call('POST', '/v1/runs', { token, body: { skill: 'needs' } });
    expect(await refused.json()).toMatchObject({
      code: 'skill_requirement_missing',
      data: { missing: ['WebFetch'] },
    });
    expect((await started({ skill: 'needs', grants: ['Bash', 'WebFetch'] })).status).toBe('running');
  });

  it.each([
    [[{ name: 'x', inputSchema: {} }]],
    [[{ name: 'x', inputSchema: { type: 'string' } }]],
    [[{ name: 'Bash', inputSchema: object }]],
    [[{ name: 'mcp__x__y', inputSchema: object }]],
    [[{ name: 'two words', inputSchema: object }]],
    [
      [
        { name: 'x', inputSchema: object },
        { name: 'x', inputSchema: object },
      ],
    ],
    [[{ name: 'x', inputSchema: { ...object, description: 'x'.repeat(70_000) } }]],
  ])('refuses tools of the host that are none: %#', async (clientTools) => {
    const response = await call('POST', '/v1/runs', { token, body: { skill: 'three', clientTools } });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, 'bad_request']);
  });

  it.each([
    [{ pattern: '(a+)+$' }],
    [{ $ref: '#' }],
    [{ $ref: 'https://example.org/schema' }],
    [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ])('refuses a schema of the result that could take for ever: %#', async (resultSchema) => {
    const response = await call('POST', '/v1/runs', { token, body: { skill: 'three', resultSchema } });
    expect(await response.json()).toMatchObject({ code: 'run_refused', at: 'resultSchema' });
  });
});

describe('GET /v1/runs', () => {
  const List = z.object({ runs: z.array(z.looseObject({ id: z.string() })), next: z.string().nullable() });
  const list = async (as: string, query = '') =>
    List.parse(await (await call('GET', `/v1/runs${query}`, { token: as })).json());

  it('lists runs with their ends, the newest first, page by page, to those who may read them', async () => {
    const other = newOrganisation();
    const own = await tokenFor(other);
    await push(
      own,
      'org',
      treeOf({ 'one/SKILL.md': skillText('one', 'context: fork\n', '```bash\necho 1\n```\n') }),
    );
    const bound = await tokenFor(other, { layers: ['user:alice'] });
    const start = async (as: string) =>
      Run.parse(
        await (await call('POST', '/v1/runs', { token: as, body: { skill: 'one' }, headers: WAIT })).json(),
      ).id;
    const ids = [await start(own), await start(bound), await start(own)];
    const status = z.array(z.looseObject({ status: z.string() }));
    await expect
      .poll(async () => status.parse((await list(own)).runs).map((run) => run.status))
      .toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect((await list(own)).runs.map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await list(bound)).runs.map(({ id }) => id)).toEqual([ids[1]]);
    const first = await list(own, '?limit=2');
    const second = await list(own, `?limit=2&cursor=${encodeURIComponent(first.next ?? '')}`);
    expect([...first.runs, ...second.runs].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(second.next).toBeNull();
    expect((await list(await tokenFor(newOrganisation()))).runs).toEqual([]);
  });
});
