import { beforeAll, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

/** All scopes, two holders: what one of them may, the other is refused. */
let [service, agent, session] = ['', '', ''];

beforeAll(async () => {
  const organisation = newOrganisation();
  [service, agent] = [await tokenFor(organisation), await tokenFor(organisation, { actor: 'agent' })];
  const tree = treeOf({ 'deploy/SKILL.md': skillText('deploy', 'allowed-tools: Bash(git push:*)') });
  expect((await push(service, 'org', tree)).response.status).toBe(200);
  const begun = await call('POST', '/v1/sessions', { token: service });
  session = (await begun.json<{ id: string }>()).id;
});

const ALLOW = { effect: 'allow', pattern: 'Skill(deploy)' };
const DENY = { effect: 'deny', pattern: 'Skill(deploy)' };

/** Each either decides what nobody is asked about any more, or tells what an agent could learn to evade. */
const FOR_PEOPLE: readonly [method: string, path: string, body?: object][] = [
  ['POST', '/v1/decisions', { skill: 'deploy', rules: [ALLOW] }],
  ['POST', '/v1/decisions', { skill: 'deploy', rules: [DENY, ALLOW] }],
  ['POST', '/v1/decisions', { tool: 'Bash', input: 'ls', rules: [{ effect: 'allow', pattern: 'Bash' }] }],
  ['POST', '/v1/invoke', { skill: 'deploy', rules: [ALLOW] }],
  ['POST', '/v1/runs', { skill: 'deploy', rules: [ALLOW] }],
  ['POST', '/v1/sessions/SESSION/rules', { add: [ALLOW] }],
  ['POST', '/v1/sessions/SESSION/rules', { endTurn: true }],
  ['POST', '/v1/approvals/apr_0', { action: 'approve' }],
  ['POST', '/v1/runs/run_0/approvals', { id: 'act_1', action: 'approve' }],
  ['PUT', '/v1/policy?layer=org', { rules: [ALLOW] }],
  ['PUT', '/v1/settings', {}],
  ['GET', '/v1/approvals'],
  ['GET', '/v1/quarantine'],
  ['GET', '/v1/quarantine/qua_0'],
  ['POST', '/v1/quarantine/qua_0', { action: 'accept' }],
  ['GET', '/v1/audit'],
  ['GET', '/v1/audit?format=jsonl'],
  ['GET', '/v1/audit?log=bundled'],
];

it.each(FOR_PEOPLE)('%s %s is for people, and no scope makes one of an agent', async (method, path, body) => {
  const answer = async (token: string) => {
    const response = await call(method, path.replace('SESSION', session), { token, body });
    return response.status === 403 ? response.json<{ detail: string }>() : null;
  };
  expect((await answer(agent))?.detail).toMatch(/(?:is|are) for people$/);
  expect(await answer(service)).toBeNull();
});

it('an agent may restrict what it does itself', async () => {
  const body = { skill: 'deploy', rules: [DENY] };
  const answer = await call('POST', '/v1/decisions', { token: agent, body });
  expect(await answer.json()).toMatchObject({ decision: 'deny', layer: 'call' });
});
