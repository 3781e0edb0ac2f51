import { beforeAll, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  const tools = 'allowed-tools: [Read, "Bash(git:*)", WebFetch]\n';
  await push(
    token,
    'org',
    treeOf({
      'inline/SKILL.md': skillText('inline', tools),
      'shown/SKILL.md': skillText('shown', tools, 'It is !`git status`.\n'),
      'apart/SKILL.md': skillText('apart', tools, '```bash\necho hello\n```\n'),
    }),
  );
  const rules = [
    { effect: 'allow', pattern: 'Skill' },
    { effect: 'deny', pattern: 'Bash(git push:*)' },
    { effect: 'ask', pattern: 'WebFetch(domain:a.org)' },
  ];
  await call('PUT', '/v1/policy?layer=org', { token, body: { rules } });
});

const post = async (path: string, body: unknown) =>
  (await call('POST', path, { token, body })).json<Record<string, unknown>>();

it('an invocation gets what was declared, less what the rules keep back', async () => {
  expect(await post('/v1/invoke', { skill: 'inline' })).toMatchObject({
    contextModifier: {
      allowedTools: { value: ['Read', 'Bash(git:*)'], lasts: 'turn' },
      disallowedTools: { value: ['Bash(git push:*)'], lasts: 'turn' },
    },
    tools: {
      declared: ['Read', 'Bash(git:*)', 'WebFetch'],
      effective: ['Read', 'Bash(git:*)'],
      missing: [],
      withheld: [{ pattern: 'WebFetch', decision: 'ask', rule: 'WebFetch(domain:a.org)' }],
      except: ['Bash(git push:*)'],
    },
  });
});

it('and never more than its caller grants, which is said beside the instructions', async () => {
  const grants = ['Read(src/**)', 'Bash(git diff:*)'];
  expect(await post('/v1/invoke', { skill: 'inline', grants })).toMatchObject({
    contextModifier: { allowedTools: { value: ['Read(src/**)', 'Bash(git diff:*)'] } },
    tools: { effective: grants, missing: ['WebFetch'] },
  });
  expect(await post('/v1/invoke', { skill: 'inline', grants: [] })).toMatchObject({
    contextModifier: { allowedTools: null },
    tools: { effective: [], missing: ['Read', 'Bash(git:*)', 'WebFetch'] },
  });
});

it('its commands are decided by what was granted, too', async () => {
  const command = async (more: object) => {
    const { commands } = await post('/v1/invoke', { skill: 'shown', shell: 'client', ...more });
    return commands;
  };
  expect(await command({})).toMatchObject([{ decision: { decision: 'allow' } }]);
  expect(await command({ grants: ['Bash(git status)'] })).toMatchObject([
    { decision: { decision: 'allow' } },
  ]);
  expect(await command({ grants: ['Read'] })).toMatchObject([{ decision: { decision: 'ask' } }]);
});

it('a stranger’s skill gets none by a rule, but from its caller or a person', async () => {
  const stranger = await tokenFor(newOrganisation());
  const skill = treeOf({ 'help/SKILL.md': skillText('help', 'allowed-tools: [Bash, Read]\n') });
  await push(stranger, 'plugin:p', skill);
  const use = async (more: object = {}) => {
    const body = { skill: 'help', ...more };
    const answer = await call('POST', '/v1/invoke?scope=plugin:p', { token: stranger, body });
    return answer.json<Record<string, unknown>>();
  };
  const { approvalId } = await use();
  await call('POST', `/v1/approvals/${String(approvalId)}`, { token: stranger, body: { action: 'approve' } });
  expect(await use({ approvalId })).toMatchObject({ tools: { effective: ['Bash', 'Read'] } });
  const rules = [{ effect: 'allow', pattern: 'Skill' }];
  await call('PUT', '/v1/policy?layer=org', { token: stranger, body: { rules } });
  expect(await use()).toMatchObject({
    contextModifier: { allowedTools: null },
    tools: { effective: [], missing: ['Bash', 'Read'] },
  });
  expect(await use({ grants: ['Read'] })).toMatchObject({
    tools: { effective: ['Read'], missing: ['Bash'] },
  });
});

it('a run says before it begins what it will not have', async () => {
  const run = await post('/v1/runs', { skill: 'apart', grants: ['Bash', 'WebFetch'] });
  expect(run['tools']).toMatchObject({ missing: ['Read'] });
  const rules = [{ effect: 'deny', pattern: 'WebFetch' }];
  const denied = await post('/v1/runs', { skill: 'apart', grants: ['Bash', 'WebFetch'], rules });
  expect(denied['tools']).toMatchObject({ missing: ['Read', 'WebFetch'] });
});
