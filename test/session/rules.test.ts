import { beforeEach, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { SessionClient } from './support.ts';

let organisation = '';
let token = '';
let session: SessionClient;
const ALLOW = { effect: 'allow', pattern: 'Skill(deploy)' };

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation, { label: 'ann' });
  await push(
    token,
    'org',
    treeOf({ 'deploy/SKILL.md': skillText('deploy', 'allowed-tools: Bash\n', 'Deploy.\n') }),
  );
  session = await SessionClient.begin(organisation, token, { scope: 'project:web' });
});

const change = async (body: object, headers: Record<string, string> = {}) =>
  session.call('POST', '/rules', { body, headers });

async function decision(within: string | undefined = session.id): Promise<string> {
  const body = { skill: 'deploy', ...(within === undefined ? {} : { session: within }) };
  const answer: { decision: string; layer: string | null } = await (
    await call('POST', '/v1/decisions', { token, body })
  ).json();
  return `${answer.decision} ${answer.layer}`;
}

async function use(): Promise<unknown> {
  const body = { skill: 'deploy', session: session.id };
  const answer: { status: unknown } = await (await call('POST', '/v1/invoke', { token, body })).json();
  return answer.status;
}

describe('rules of a session', () => {
  it('count in it and nowhere else, and say who wrote them', async () => {
    expect([await decision(), await use()]).toEqual(['ask null', 'ask']);
    const { body } = await change({ add: [{ ...ALLOW, reason: 'release day' }] });
    const kept = { ...ALLOW, reason: 'release day', layer: 'session', by: 'ann' };
    expect(body['rules']).toEqual([{ ...kept, id: 'rule_1', since: expect.any(String) }]);
    expect([await decision(), await use(), await decision('another')]).toEqual([
      'allow session',
      'inline',
      'ask null',
    ]);
    expect((await session.call('GET', '')).body['rules']).toEqual(body['rules']);
  });

  it('hold for the tools that a host asks about in it, and are never remembered as an answer', async () => {
    const asked = async (body: object) =>
      (await (await call('POST', '/v1/decisions', { token, body })).json<{ layer: string | null }>()).layer;
    const tool = { tool: 'Bash', input: { command: 'git push' } };
    const inIt = { ...tool, session: session.id };
    expect([await asked(tool), await asked(inIt)]).toEqual([null, null]);
    await change({ add: [{ effect: 'deny', pattern: 'Bash(git push:*)' }] });
    expect([await asked(tool), await asked(inIt)]).toEqual([null, 'session']);
    await change({ remove: ['rule_1'], add: [{ effect: 'allow', pattern: 'Bash(git:*)' }] });
    expect([await asked({ ...tool, session: 'my own label' }), await asked(inIt)]).toEqual([null, 'session']);
    const many = await call('POST', '/v1/decisions', { token, body: { subjects: [tool, inIt] } });
    expect(await many.json()).toMatchObject({ decisions: [{ decision: 'ask' }, { decision: 'allow' }] });
  });

  it('hold for a run that is started in it', async () => {
    const start = async () => {
      const body = { skill: 'deploy', session: session.id };
      return (await call('POST', '/v1/runs', { token, body })).json<Record<string, unknown>>();
    };
    expect((await start())['status']).toBe('ask');
    await change({ add: [ALLOW] });
    expect((await start())['id']).toMatch(/^run_/);
    await change({ add: [{ effect: 'deny', pattern: 'Skill(deploy)' }] });
    expect((await start())['code']).toBe('skill_denied');
  });

  it('are taken away by their ids, and end with the session', async () => {
    await change({ add: [ALLOW, { effect: 'ask', pattern: 'Bash' }] });
    const { body } = await change({
      remove: ['rule_1'],
      add: [{ effect: 'deny', pattern: 'Skill(deploy:*)' }],
    });
    expect(body['rules']).toMatchObject([{ id: 'rule_2' }, { id: 'rule_3', effect: 'deny' }]);
    expect([await decision(), await use()]).toEqual(['deny session', 403]);
    await session.call('DELETE', '');
    expect((await change({ add: [ALLOW] })).status).toBe(404);
  });

  it('are the same when the request is sent twice, and no other under its key', async () => {
    const headers = { 'Idempotency-Key': 'k' };
    const first = await change({ add: [ALLOW] }, headers);
    expect(await change({ add: [ALLOW] }, headers)).toEqual(first);
    expect((await change({ add: [] }, headers)).body['code']).toBe('session_conflict');
    expect((await change({ add: [ALLOW] })).body['rules']).toEqual(first.body['rules']);
  });

  it('that allow for a turn end with it; those that restrict only when an approver says so', async () => {
    const expires = { until: 'turn' };
    await change({
      add: [
        { ...ALLOW, expires },
        { effect: 'deny', pattern: 'Skill(other)', expires },
      ],
    });
    expect(await decision()).toBe('allow session');
    const fire = (event: string) =>
      session.call('POST', `/hooks/${event}`, { body: {}, headers: { 'Idempotency-Key': event } });
    await fire('PreCompact');
    expect(await decision()).toBe('allow session');
    await fire('Stop');
    expect(await decision()).toBe('ask null');
    expect((await session.call('GET', '')).body['rules']).toMatchObject([{ effect: 'deny' }]);
    expect((await change({ endTurn: true })).body['rules']).toEqual([]);
  });

  it('that allow for a turn stay where the event that ended the turn before is told again', async () => {
    const fire = () =>
      session.call('POST', '/hooks/UserPromptSubmit', { body: {}, headers: { 'Idempotency-Key': 'turn' } });
    await fire();
    await change({ add: [{ ...ALLOW, expires: { until: 'turn' } }] });
    await fire();
    expect(await decision()).toBe('allow session');
  });

  it('end when their time is over', async () => {
    const at = new Date(Date.now() + 1_000).toISOString();
    await change({ add: [{ ...ALLOW, expires: { until: 'time', at } }] });
    expect([await decision(), await use()]).toEqual(['allow session', 'inline']);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect([await decision(), await use()]).toEqual(['ask null', 'ask']);
  });

  it('stand beside those that the session’s layers have now', async () => {
    await change({ add: [ALLOW] });
    expect(await use()).toBe('inline');
    const rules = [{ effect: 'deny', pattern: 'Skill(deploy)' }];
    await call('PUT', '/v1/policy?layer=project:web', { token, body: { rules } });
    expect([await decision(), await use(), await decision('another')]).toEqual([
      'deny project',
      403,
      'ask null',
    ]);
  });

  it('are an approver’s to write, and bounded', async () => {
    const other = await tokenFor(organisation, { scopes: ['skills:read', 'skills:invoke'] });
    const refused = await session.call('POST', '/rules', { body: { add: [ALLOW] }, token: other });
    expect(refused.status).toBe(403);
    const many = Array.from({ length: 150 }, (_, at) => ({ effect: 'ask', pattern: `Bash(a${at})` }));
    expect((await change({ add: many })).status).toBe(200);
    const more = many.map(({ effect, pattern }) => ({ effect, pattern: pattern.replace('a', 'b') }));
    expect((await change({ add: more })).body['code']).toBe('bad_request');
  });
});

describe('rules of a call', () => {
  const ask = async (body: object, with_ = token) =>
    (await call('POST', '/v1/decisions', { token: with_, body })).json<Record<string, unknown>>();

  it('restrict for anybody, and allow for approvers only', async () => {
    const agent = await tokenFor(organisation, { scopes: ['skills:read', 'skills:invoke'] });
    const deny = [{ effect: 'deny', pattern: 'Skill(deploy)', reason: 'not in this step' }];
    expect(await ask({ skill: 'deploy', rules: deny }, agent)).toMatchObject({
      decision: 'deny',
      layer: 'call',
    });
    const question = { skill: 'deploy', rules: [ALLOW] };
    expect(await ask(question)).toMatchObject({ decision: 'allow', layer: 'call' });
    // The approver's answer is not what somebody else is told.
    expect(await ask(question, agent)).toMatchObject({ code: 'forbidden', at: 'rules' });
    for (const path of ['/v1/invoke', '/v1/runs']) {
      const response = await call('POST', path, {
        token: await tokenFor(organisation, { scopes: ['skills:invoke', 'runs:start'] }),
        body: question,
      });
      expect(response.status).toBe(403);
      const denied = await call('POST', path, { token, body: { skill: 'deploy', rules: deny } });
      expect(await denied.json()).toMatchObject({ code: 'skill_denied', data: { layer: 'call' } });
    }
    const used = await call('POST', '/v1/invoke', { token, body: question });
    expect(await used.json()).toMatchObject({ status: 'inline', decision: { layer: 'call' } });
  });

  it('make another run of the same key a conflict, since it would not be under the same rules', async () => {
    const start = async (pattern: string) => {
      const body = { skill: 'deploy', rules: [ALLOW, { effect: 'deny', pattern }] };
      const headers = { 'Idempotency-Key': 'one' };
      return (await call('POST', '/v1/runs', { token, body, headers })).json<Record<string, unknown>>();
    };
    const run = await start('Bash(rm:*)');
    expect((await start('Bash(rm:*)'))['id']).toBe(run['id']);
    expect((await start('Bash(mv:*)'))['code']).toBe('run_conflict');
  });

  it('are for all of a batch, or for one subject', async () => {
    const ls = { tool: 'Bash', input: 'ls' };
    const rules = [{ effect: 'allow', pattern: 'Bash(ls)' }];
    const own = [{ effect: 'deny', pattern: 'Bash' }];
    const { decisions } = await ask({ subjects: [ls, { ...ls, rules: own }], rules });
    expect(decisions).toMatchObject([{ decision: 'allow' }, { decision: 'deny' }]);
    const alone = await ask({ subjects: [ls, { ...ls, rules: own }] });
    expect(alone['decisions']).toMatchObject([{ decision: 'ask' }, { decision: 'deny' }]);
  });

  it('are never more than they may be', async () => {
    const rules = Array.from({ length: 65 }, () => ({ effect: 'ask', pattern: 'Bash' }));
    expect(await ask({ skill: 'deploy', rules })).toMatchObject({ code: 'bad_request' });
    expect(
      await ask({ skill: 'deploy', rules: [{ ...ALLOW, expires: { until: 'session' } }] }),
    ).toMatchObject({
      code: 'bad_request',
    });
  });
});
