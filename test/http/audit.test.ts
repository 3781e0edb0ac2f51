import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { AuditAct } from '../../src/audit/audit-act.ts';
import { AuditRecord } from '../../src/audit/audit-record.ts';
import { ALL_SCOPES } from '../../src/view/token.ts';
import { faultsOf } from '../audit/logs.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { countingEnv } from '../support/counting-env.ts';
import { call, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';
import { filesOf, heldId, put as putSkill, skillPath } from '../support/publishing.ts';

let organisation = '';
let token = '';
beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation, { label: 'ci' });
});

const get = (path: string, as = token) => call('GET', path, { token: as });
const post = (path: string, body: unknown, as = token) => call('POST', path, { token: as, body });

/** It is no type that the runtime takes for text. */
const textOf = async (answer: Response) => new TextDecoder().decode(await answer.arrayBuffer());

async function exported(as = token): Promise<string[]> {
  const text = await textOf(await get('/v1/audit?format=jsonl', as));
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

async function records(as = token) {
  const [, ...lines] = await exported(as);
  return lines.map((line) => AuditRecord.parse(JSON.parse(line)));
}

/** A run's object tells of its end by an alarm, which may be under way already. */
async function finish(run: string): Promise<void> {
  const ended = async () =>
    (await records()).some(({ act, subject }) => act === 'run_ended' && subject === run);
  while (!(await ended())) {
    await runDurableObjectAlarm(env.RUN.getByName(`${organisation}/${run}`));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const TREE = {
  'plain/SKILL.md': skillText('plain'),
  'release/SKILL.md': skillText('release', 'allowed-tools: Bash(git log:*)\n'),
  'people/SKILL.md': skillText('people', 'disable-model-invocation: true\n'),
  'shell/SKILL.md': skillText('shell', '', 'Look: !`git status`\n'),
  'steps/SKILL.md': skillText('steps', '', '```bash\necho done\n```\n'),
};

const put = (settings: unknown) => call('PUT', '/v1/settings', { token, body: settings });

/** One act each, over HTTP, and what its only record says. */
const ACTS: readonly (readonly [string, () => Promise<unknown>, Readonly<Record<string, unknown>>])[] = [
  [
    'a publish',
    () => push(token, 'user:alice', treeOf({ 'mine/SKILL.md': skillText('mine') })),
    {
      act: 'head_moved',
      subject: 'user:alice',
      details: { sequence: 1, before: null, skills: 1, added: { count: 1, names: ['mine'] } },
    },
  ],
  [
    'a publish of changes',
    () => {
      const { 'people/SKILL.md': _gone, ...rest } = TREE;
      const tree = { ...rest, 'plain/SKILL.md': skillText('plain', '', 'Other.\n') };
      return push(token, 'org', treeOf({ ...tree, 'new/SKILL.md': skillText('new') }));
    },
    {
      act: 'head_moved',
      subject: 'org',
      details: {
        sequence: 2,
        added: { count: 1, names: ['new'] },
        changed: { count: 1, names: ['plain'] },
        removed: { count: 1, names: ['people'] },
      },
    },
  ],
  [
    'a change of settings',
    () => put({ listing: { entryCharacters: 100 }, permissions: { deny: ['Bash(rm:*)'] } }),
    {
      act: 'settings_changed',
      subject: 'settings',
      details: {
        revision: 1,
        changed: [{ key: 'listing.entryCharacters' }, { key: 'permissions.deny' }],
      },
    },
  ],
  [
    'an approval',
    async () => {
      const { approvalId } = await (
        await post('/v1/invoke', { skill: 'release' })
      ).json<{ approvalId: string }>();
      await post(`/v1/approvals/${approvalId}`, { action: 'approve', duration: 'revision' });
    },
    {
      act: 'approval_decided',
      subject: expect.stringMatching(/^apr_/),
      details: { decision: 'approved', duration: 'revision', skill: 'release', layer: 'org' },
    },
  ],
  [
    'a denial by the skill itself',
    () => post('/v1/invoke', { skill: 'people', args: 'x' }),
    {
      act: 'skill_denied',
      subject: 'org/people',
      details: {
        code: 'skill_model_invocation_disabled',
        reason: 'model_invocation_disabled',
        rule: null,
        ruleLayer: null,
        unrecorded: 0,
      },
    },
  ],
];

describe('the audit log', () => {
  it.each(ACTS)('has one record of %s', async (_name, act, record) => {
    await push(token, 'org', treeOf(TREE));
    const before = (await records()).length;
    await act();
    const added = (await records()).slice(before);
    expect(added).toMatchObject([{ ...record, actor: { organisation, label: 'ci' } }]);
    for (const { act: kind, subject, details } of added) AuditAct.parse({ act: kind, subject, details });
    await settle(organisation);
  });

  it('has one record of each denial by a rule, by a person and of a command, and of a run and its end', async () => {
    await push(token, 'org', treeOf(TREE));
    await put({ permissions: { deny: ['Skill(plain)', 'Bash(git status)'] } });
    const asked = await (await post('/v1/invoke', { skill: 'release' })).json<{ approvalId: string }>();
    await post(`/v1/approvals/${asked.approvalId}`, { action: 'deny' });
    const before = (await records()).length;
    for (let call = 0; call < 3; call += 1) await post('/v1/invoke', { skill: 'plain', args: `${call}` });
    await post('/v1/runs', { skill: 'plain' });
    await post('/v1/invoke', { skill: 'release', approvalId: asked.approvalId });
    await post('/v1/invoke', { skill: 'shell', shell: 'client' });
    const { id } = await (await post('/v1/runs', { skill: 'steps' })).json<{ id: string }>();
    await finish(id);
    const added = (await records()).slice(before);
    expect(
      added.map(({ act, subject, details }) => [act, subject, details['reason'], details['rule']]),
    ).toEqual([
      ['skill_denied', 'org/plain', 'deny_rule', 'Skill(plain)'],
      ['skill_denied', 'org/release', 'person_denied', null],
      ['skill_denied', 'org/shell', 'command_refused', null],
      ['run_started', id, undefined, undefined],
      ['run_ended', id, undefined, undefined],
    ]);
    expect(added[1]?.details['unrecorded']).toBe(3);
    expect(added.slice(3)).toMatchObject([
      { details: { skill: 'steps', layer: 'org', engine: 'runbook', tools: { missing: 0 } } },
      { details: { skill: 'steps', layer: 'org', status: 'succeeded', stopReason: 'completed' } },
    ]);
    expect(faultsOf(await exported())).toEqual([]);
    await settle(organisation);
  });

  it('says what somebody let in against a warning', async () => {
    const publisher = await tokenFor(organisation, { trust: 'community', label: 'hurried' });
    const send = (verdict: 'safe' | 'caution') =>
      putSkill(publisher, verdict, filesOf(verdict, verdict), { force: true });
    await send('safe');
    await send('caution');
    const acts = (await records()).map(({ act, actor, details }) => ({ act, by: actor.label, details }));
    const moved = { act: 'head_moved', by: 'hurried' };
    expect(acts).toMatchObject([moved, { ...moved, details: { forced: { names: ['caution'] } } }]);
    expect(acts[0]?.details).not.toHaveProperty('forced');
    await settle(organisation);
  });

  it('has one record of what was held, of each answer and of what that published', async () => {
    await push(token, 'org', treeOf(TREE));
    const agent = await tokenFor(organisation, { actor: 'agent', label: 'writer' });
    const hold = async () => heldId(await putSkill(agent, 'bad', filesOf('bad', 'dangerous')));
    const before = (await records()).length;
    const id = await hold();
    await hold();
    for (const action of ['reject', 'reject', 'accept', 'accept'])
      await post(`/v1/quarantine/${id}`, { action });
    await call('DELETE', skillPath('org', 'bad'), { token });
    const added = (await records()).slice(before);
    const judged = { act: 'held_skill_judged', subject: id, actor: { label: 'ci', kind: 'service' } };
    const names = (...all: string[]) => ({ count: all.length, names: all });
    expect(added).toMatchObject([
      {
        act: 'skills_held',
        subject: 'org',
        actor: { organisation, label: 'writer', kind: 'agent' },
        details: { skills: names('bad'), dangerous: 1, unseen: 0 },
      },
      { ...judged, details: { decision: 'rejected', skill: 'bad', layer: 'org', verdict: 'dangerous' } },
      { ...judged, details: { decision: 'accepted' } },
      { act: 'head_moved', details: { added: names('bad'), changed: names(), removed: names() } },
      { act: 'head_moved', details: { added: names(), changed: names(), removed: names('bad') } },
    ]);
    await settle(organisation);
  });

  it('has nothing of what was read, allowed, asked or refused', async () => {
    await push(token, 'org', treeOf(TREE));
    const before = await exported();
    for (const path of ['/v1/listing', '/v1/skills/plain/body', '/v1/settings', '/v1/audit']) await get(path);
    await post('/v1/decisions', { skill: 'plain' });
    await post('/v1/decisions', { skill: 'people' });
    await post('/v1/invoke', { skill: 'plain' });
    await post('/v1/invoke', { skill: 'release' });
    await post('/v1/invoke', { skill: 'nope' });
    await post('/v1/approvals/apr_none', { action: 'approve' });
    await call('PUT', '/v1/settings', { token, body: {}, headers: { 'If-Match': '"7"' } });
    await push(token, 'org', treeOf(TREE));
    expect(await exported()).toEqual(before);
    await settle(organisation);
  });

  it('takes no write and no Durable Object on the way to a reader', async () => {
    await push(token, 'org', treeOf(TREE));
    await settle(organisation);
    const counted = countingEnv(env);
    let waits: number[] = [];
    const answered = () => (waits = [counted.writes(), counted.objects()]);
    const denied = { skill: 'people', trigger: 'nested' };
    await call('POST', '/v1/invoke', { token, body: denied, env: counted.env, answered });
    // The denial is told behind the answer.
    expect([waits, counted.objects()]).toEqual([[0, 0], 1]);
  });

  it('stays one chain when many act at once, over an eviction', async () => {
    await push(token, 'org', treeOf(TREE));
    const acts = (from: number) =>
      Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          at % 2 === 0
            ? put({ flags: [`flag-${from + at}`] })
            : push(token, `user:u${from + at}`, treeOf({ 'a/SKILL.md': skillText('a') })),
        ),
      );
    await acts(0);
    await settle(organisation);
    await evictDurableObject(env.ORG.getByName(`o/${organisation}`));
    await acts(6);
    const lines = await exported();
    expect(lines).toHaveLength(1 + 1 + 12);
    expect(faultsOf(lines)).toEqual([]);
    await settle(organisation);
  });

  it('has no text of a skill, an argument, a file, a setting or a token in it', async () => {
    const marker = fc.noShrink(fc.stringMatching(/^[A-Z]{12}$/));
    await fc.assert(
      fc.asyncProperty(marker, async (secret) => {
        organisation = newOrganisation();
        token = await tokenFor(organisation);
        const tree = {
          'plain/SKILL.md': `---\nname: plain\ndescription: ${secret}\nsecret: ${secret}\n---\n${secret}\n`,
          'plain/notes.txt': secret,
          'people/SKILL.md': skillText('people', 'disable-model-invocation: true\n', secret),
          'release/SKILL.md': skillText('release', `allowed-tools: Bash(echo ${secret}:*)\n`),
          'shell/SKILL.md': skillText('shell', '', `Look: !\`cat $1 ${secret}\`\n`),
          'steps/SKILL.md': skillText('steps', 'allowed-tools: Bash(echo $0)\n', '```bash\necho $0\n```\n'),
        };
        await push(token, 'org', treeOf(tree));
        await put({ models: { aliases: { opus: secret } }, permissions: { deny: ['Bash(cat:*)'] } });
        const args = `${secret} ${secret}`;
        const common = { args, agent: secret, session: secret, toolUseId: secret, projectDirectory: secret };
        for (const skill of ['plain', 'people', 'release', 'shell'])
          await post('/v1/invoke', { ...common, skill, shell: 'client' });
        const files = [{ path: `${secret}.txt`, text: secret }];
        const approved = await (
          await post('/v1/invoke', { ...common, skill: 'steps' })
        ).json<{ approvalId: string }>();
        const { approvalId } = approved;
        await post(`/v1/approvals/${approvalId}`, { action: 'approve', duration: 'revision' });
        const grants = [`Bash(echo ${secret})`];
        const run = await post('/v1/runs', { ...common, skill: 'steps', approvalId, grants, files });
        await finish((await run.json<{ id: string }>()).id);
        const log = (await exported()).join('\n');
        const acts = new Set((await records()).map(({ act }) => act));
        expect([...acts].toSorted()).toEqual([
          'approval_decided',
          'head_moved',
          'run_call_denied',
          'run_ended',
          'run_started',
          'settings_changed',
          'skill_denied',
        ]);
        expect(log).not.toContain(secret);
        expect(log).not.toContain(token.slice(-43));
        await settle(organisation);
      }),
      { numRuns: 3 },
    );
  });
});

describe('GET /v1/audit', () => {
  it('answers page by page, with the place where each begins and where the log stands', async () => {
    for (const flag of ['a', 'b', 'c']) await put({ flags: [flag] });
    const first = await (await get('/v1/audit?limit=2')).json<{ next: string; records: unknown[] }>();
    expect(first).toMatchObject({
      space: `o/${organisation}`,
      start: { sequence: 0 },
      head: { sequence: 3 },
      next: '2',
    });
    const second = await (await get(`/v1/audit?limit=2&cursor=${first.next}`)).json<{ records: unknown[] }>();
    expect(second).toMatchObject({ start: { sequence: 2 }, head: { sequence: 3 }, next: null });
    expect([...first.records, ...second.records]).toEqual(await records());
  });

  it('answers an export to whoever accepts one, from a cursor on as well', async () => {
    for (const flag of ['a', 'b']) await put({ flags: [flag] });
    const headers = { Accept: 'application/x-ndjson' };
    const answer = await call('GET', '/v1/audit', { token, headers });
    expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(answer.headers.get('Vary')).toBe('Authorization, Accept');
    const text = await textOf(answer);
    expect(text).toBe(`${(await exported()).join('\n')}\n`);
    const rest = await textOf(await get('/v1/audit?format=jsonl&cursor=1'));
    expect(rest.trimEnd().split('\n').slice(1)).toEqual(text.trimEnd().split('\n').slice(2));
  });

  it('streams more than a page holds', async () => {
    const stub = env.ORG.getByName(`o/${organisation}`);
    const actor = { organisation, label: 'x', kind: 'service' } as const;
    const details = { skill: 'x', layer: 'org', status: 'failed', stopReason: 'step_failed' };
    for (let batch = 0; batch < 12; batch += 1)
      await stub.recordReports(
        organisation,
        Array.from({ length: 200 }, (_, at) => ({
          key: `run_${batch}_${at}`,
          at: Date.now(),
          times: 1,
          actor,
          act: { act: 'run_ended' as const, subject: `run_${batch}_${at}`, details },
        })),
      );
    const lines = await exported();
    expect(lines).toHaveLength(1 + 2_400);
    expect(faultsOf(lines)).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['limit=2&format=jsonl', 'limit'],
    ['format=csv', 'format'],
    ['cursor=x', 'cursor'],
    ['cursor=-1', 'cursor'],
    ['cursor=5', 'cursor'],
    ['log=o/other', 'log'],
    ['log=', 'log'],
  ])('with %s is a clear problem', async (query, at) => {
    const answer = await get(`/v1/audit?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'bad_request', at }]);
  });

  it('tells nothing of another organisation, and nothing to a token that is bound to layers', async () => {
    await push(token, 'org', treeOf(TREE));
    const other = newOrganisation();
    const stranger = await tokenFor(other);
    expect(await (await get('/v1/audit', stranger)).json()).toMatchObject({
      space: `o/${other}`,
      head: { sequence: 0 },
      records: [],
    });
    const bound = await tokenFor(organisation, { layers: ['user:alice'] });
    expect((await get('/v1/audit', bound)).status).toBe(403);
  });

  it('has a log of the shared layer, for those who may push there', async () => {
    const narrow = await tokenFor(organisation, {
      scopes: ALL_SCOPES.filter((scope) => scope !== 'bundled:push'),
    });
    expect((await get('/v1/audit?log=bundled', narrow)).status).toBe(403);
    await push(token, 'bundled', treeOf({ 'shared/SKILL.md': skillText('shared', '', organisation) }));
    expect(await records()).toEqual([]);
    const lines = (await textOf(await get('/v1/audit?log=bundled&format=jsonl'))).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      act: 'head_moved',
      subject: 'bundled',
      actor: { organisation, label: 'ci' },
    });
    expect(faultsOf(lines)).toEqual([]);
  });
});
