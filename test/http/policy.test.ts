import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { countingEnv } from '../support/counting-env.ts';
import { call, coldApp, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';

const PROJECT = '/v1/policy?layer=project:web';
const rule = (effect: string, pattern: string, more: object = {}) => ({ effect, pattern, ...more });

async function decision(token: string, body: unknown, query = ''): Promise<string> {
  const response = await call('POST', `/v1/decisions${query}`, { token, body });
  const answer: { decision?: string; layer?: string | null; code?: string } = await response.json();
  return answer.code ?? `${answer.decision} ${answer.layer}`;
}

describe('/v1/policy', () => {
  it('keeps the rules of a layer, with who wrote each, when and why', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation, { label: 'ann' });
    const before = await call('GET', PROJECT, { token });
    expect([await before.json(), before.headers.get('ETag')]).toEqual([
      { layer: 'project:web', rules: [] },
      '"0"',
    ]);
    const deny = rule('deny', 'Bash(git push:*)', { reason: 'pushes go through review' });
    const put = await call('PUT', PROJECT, { token, body: { rules: [deny] } });
    const stored: { rules: { since: string }[] } = await put.json();
    const [signed] = stored.rules;
    expect(signed).toEqual({ ...deny, layer: 'project', by: 'ann', since: expect.any(String) });
    const bob = await tokenFor(organisation, { label: 'bob' });
    const more = [{ ...signed, by: 'eve' }, rule('ask', 'WebFetch')];
    await call('PUT', PROJECT, { token: bob, body: { rules: more }, headers: { 'If-Match': '"1"' } });
    const after = await call('GET', PROJECT, { token });
    expect([await after.json(), after.headers.get('ETag')]).toEqual([
      {
        layer: 'project:web',
        rules: [
          signed,
          { ...rule('ask', 'WebFetch'), layer: 'project', by: 'bob', since: expect.any(String) },
        ],
      },
      '"2"',
    ]);
  });

  it('counts where the layer is named, together with all others', async () => {
    const token = await tokenFor(newOrganisation(), { label: 'ann' });
    const push = { tool: 'Bash', input: { command: 'git -C . push --force' } };
    await call('PUT', PROJECT, { token, body: { rules: [rule('deny', 'Bash(git push:*)')] } });
    await call('PUT', '/v1/policy?layer=user:al', { token, body: { rules: [rule('allow', 'Bash')] } });
    await call('PUT', '/v1/policy?layer=org', { token, body: { rules: [rule('ask', 'Bash(git pull:*)')] } });
    expect(await decision(token, push)).toBe('ask null');
    expect(await decision(token, push, '?scope=user:al')).toBe('allow user');
    expect(await decision(token, push, '?scope=user:al,project:web')).toBe('deny project');
    expect(await decision(token, { tool: 'Bash', input: 'git pull' }, '?scope=user:al')).toBe(
      'ask organisation',
    );
    const all = await call('GET', '/v1/policy?scope=user:al,project:web', { token });
    const { rules }: { rules: { layer: string }[] } = await all.json();
    expect(rules.map(({ layer }) => layer).toSorted()).toEqual(['organisation', 'project', 'user']);
  });

  it('can ask about where a skill runs, which is safe unless the organisation says otherwise', async () => {
    const token = await tokenFor(newOrganisation());
    const fields = 'context: fork\nmodel: opus\n';
    await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x', fields), 'y/SKILL.md': skillText('y') }));
    expect(await decision(token, { skill: 'x' })).toBe('allow null');
    await call('PUT', '/v1/settings', { token, body: { askedProperties: ['context', 'model', 'effort'] } });
    const answer = await call('POST', '/v1/decisions', { token, body: { skill: 'x' } });
    expect(await answer.json()).toMatchObject({
      decision: 'ask',
      reason: { code: 'unsafe_properties', text: 'No rule allows it, and it has context, model.' },
      suggestions: [{ kind: 'exact', store: 'PUT /v1/policy?layer=org' }, { kind: 'prefix' }],
    });
    expect(await decision(token, { skill: 'y' })).toBe('allow null');
  });

  it('says in a reason who wrote the rule', async () => {
    const token = await tokenFor(newOrganisation(), { label: 'ann' });
    const rules = [rule('deny', 'Bash', { reason: 'no shell here' })];
    await call('PUT', '/v1/policy?layer=org', { token, body: { rules } });
    const answer = await call('POST', '/v1/decisions', { token, body: { tool: 'Bash', input: 'ls' } });
    expect(await answer.json()).toMatchObject({
      reason: { text: 'The organisation rule Bash by ann says so: no shell here.' },
    });
  });

  it('forgets a rule when its time is over, also where the answer was remembered', async () => {
    const token = await tokenFor(newOrganisation());
    const at = new Date(Date.now() + 1_200).toISOString();
    const rules = [rule('allow', 'Bash(ls:*)', { expires: { until: 'time', at } })];
    await call('PUT', '/v1/policy?layer=org', { token, body: { rules } });
    const ls = { tool: 'Bash', input: 'ls' };
    expect([await decision(token, ls), await decision(token, ls)]).toEqual([
      'allow organisation',
      'allow organisation',
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    expect(await decision(token, ls)).toBe('ask null');
  });

  it('ends a rule with the revision that it is for', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    const skill = (tools: string) => treeOf({ 'x/SKILL.md': skillText('x', `allowed-tools: ${tools}\n`) });
    await push(token, 'org', skill('Bash'));
    const first: { revision: string } = await (await call('GET', '/v1/skills/x', { token })).json();
    const expires = { until: 'revision', revision: first.revision };
    await call('PUT', '/v1/policy?layer=org', {
      token,
      body: { rules: [rule('allow', 'Skill(x)', { expires })] },
    });
    expect(await decision(token, { skill: 'x' })).toBe('allow organisation');
    await push(token, 'org', skill('Bash, Write'));
    await settle(organisation);
    expect(await decision(token, { skill: 'x' })).toBe('ask null');
    expect(await decision(token, { skill: 'x', revision: first.revision })).toBe('allow organisation');
  });

  it.each([
    ['plugin:p', { rules: [] }, 'bad_request'],
    ['mcp:m', { rules: [] }, 'bad_request'],
    ['bundled', { rules: [] }, 'bad_request'],
    ['', { rules: [] }, 'bad_request'],
    ['project:web', { rules: [rule('allow', 'Bash(')] }, 'bad_request'],
    ['project:web', { rules: [rule('allow', 'Bash', { expires: { until: 'turn' } })] }, 'bad_request'],
    [
      'project:web',
      {
        rules: Array.from({ length: 400 }, (_, at) =>
          rule('ask', `Bash(a${at})`, { reason: 'x'.repeat(400) }),
        ),
      },
      'bad_request',
    ],
  ])('refuses for %j what it cannot keep', async (layer, body, code) => {
    const token = await tokenFor(newOrganisation());
    const response = await call('PUT', `/v1/policy?layer=${layer}`, { token, body });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, code]);
  });

  it('loses no change, and is for those layers only that a token is bound to', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation, { layers: ['user:al'] });
    const put = async (layer: string, match: string) =>
      (
        await call('PUT', `/v1/policy?layer=${layer}`, {
          token,
          body: { rules: [] },
          headers: { 'If-Match': match },
        })
      ).status;
    expect([await put('user:al', '"0"'), await put('user:al', '"0"'), await put('user:al', '*')]).toEqual([
      200, 412, 412,
    ]);
    expect([await put('user:bo', '"0"'), await put('project:web', '"0"')]).toEqual([403, 403]);
    expect(await put('org', '"0"')).toBe(403);
    expect((await call('GET', '/v1/policy?layer=org', { token })).status).toBe(200);
    expect((await call('GET', '/v1/policy?layer=user:bo', { token })).status).toBe(403);
  });

  it('is another organisation’s own', async () => {
    const [ours, theirs] = [await tokenFor(newOrganisation()), await tokenFor(newOrganisation())];
    await call('PUT', PROJECT, { token: ours, body: { rules: [rule('allow', 'Bash')] } });
    expect(await (await call('GET', PROJECT, { token: theirs })).json()).toMatchObject({ rules: [] });
    expect(await decision(theirs, { tool: 'Bash', input: 'ls' }, '?scope=project:web')).toBe('ask null');
  });

  it('costs a read of the layer no further round', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    await call('PUT', PROJECT, { token, body: { rules: [rule('allow', 'Bash(ls:*)')] } });
    const app = await coldApp(organisation);
    const counted = countingEnv(env);
    const ask = () =>
      call('POST', '/v1/decisions?scope=project:web', {
        token,
        body: { tool: 'Bash', input: 'ls' },
        env: counted.env,
        app,
      });
    expect(await (await ask()).json()).toMatchObject({ decision: 'allow', layer: 'project' });
    expect([counted.rounds(), counted.objects()]).toEqual([1, 0]);
    counted.reset();
    await ask();
    expect(counted.rounds()).toBe(0);
    await settle(organisation);
  });
});
