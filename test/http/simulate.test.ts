import { beforeAll, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let token = '';
const rule = (effect: string, pattern: string, more: object = {}) => ({ effect, pattern, ...more });

beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  const many = Array.from({ length: 120 }, (_, at) => `s${String(at).padStart(3, '0')}`);
  await push(
    token,
    'org',
    treeOf({
      ...Object.fromEntries(many.map((name) => [`${name}/SKILL.md`, skillText(name)])),
      'deploy/SKILL.md': skillText('deploy', 'allowed-tools: Bash\n'),
      'people/SKILL.md': skillText('people', 'disable-model-invocation: true\n'),
    }),
  );
  const rules = [rule('deny', 'Bash(rm:*)'), rule('ask', 'Skill(s000)')];
  await call('PUT', '/v1/policy?layer=org', { token, body: { rules } });
});

interface Change {
  readonly skill?: string;
  readonly before: { readonly decision: string };
  readonly after: { readonly decision: string };
}
interface Simulation {
  readonly changes: readonly Change[];
  readonly examined: number;
  readonly unknown: readonly string[];
  readonly unmatched: readonly unknown[];
  readonly next: string | null;
}
const simulate = async (body: object): Promise<Simulation> =>
  (await call('POST', '/v1/decisions/simulate', { token, body })).json();
const briefly = ({ changes }: Simulation) =>
  changes.map(({ skill, before, after }) => `${skill}: ${before.decision} > ${after.decision}`);

it('says what would change for which skills, and why', async () => {
  const add = [rule('allow', 'Skill(deploy:*)', { layer: 'project', reason: 'reviewed' })];
  const answer = await simulate({ rules: { add }, skills: ['deploy', '/s001', 'nobody', 'people'] });
  expect(answer).toMatchObject({
    changes: [
      {
        skill: 'deploy',
        layer: 'org',
        before: { decision: 'ask', reason: { code: 'unsafe_properties' }, matchedRule: null, layer: null },
        after: {
          decision: 'allow',
          reason: { code: 'allow_rule' },
          matchedRule: 'Skill(deploy:*)',
          layer: 'project',
        },
      },
    ],
    examined: 3,
    unknown: ['nobody'],
    unmatched: [],
    next: null,
  });
});

it('goes through all of the view, page by page', async () => {
  const rules = { add: [rule('deny', 'Skill(s11*)'), rule('deny', 'Skill(people)')] };
  const first = await simulate({ rules });
  const second = await simulate({ rules, cursor: first.next });
  expect([first.examined + second.examined, second.next]).toEqual([122, null]);
  // Only people may start the last one: no rule changes that for a model.
  const changed = Array.from({ length: 10 }, (_, at) => `s11${at}: allow > deny`);
  expect([...briefly(first), ...briefly(second)]).toEqual(changed);
  expect(briefly(await simulate({ rules, trigger: 'user', skills: ['people'] }))).toEqual([
    'people: allow > deny',
  ]);
});

it('takes rules away, and says which are not there', async () => {
  const gone = [rule('ask', 'Skill(s000)'), rule('deny', 'Bash(rm:*)', { layer: 'organisation' })];
  const none = rule('deny', 'Bash(rm:*)', { layer: 'user' });
  const rules = { remove: [...gone, none] };
  const tools = [{ tool: 'Bash', input: { command: 'rm -rf /' } }];
  const answer = await simulate({ rules, skills: ['s000', 's001'], tools });
  expect(answer.unmatched).toEqual([none]);
  expect(answer.changes).toMatchObject([
    { skill: 's000', before: { decision: 'ask' }, after: { decision: 'allow' } },
    {
      tool: 'Bash',
      input: { command: 'rm -rf /' },
      before: { decision: 'deny', matchedRule: 'Bash(rm:*)' },
      after: { decision: 'ask', matchedRule: null },
    },
  ]);
});

it('looks at tools alone where nothing else is named, and changes nothing', async () => {
  const rules = { add: [rule('allow', 'Bash')] };
  expect(await simulate({ rules, tools: [{ tool: 'Bash', input: 'ls' }] })).toMatchObject({
    changes: [{ before: { decision: 'ask' }, after: { decision: 'allow' } }],
    examined: 1,
  });
  const decision = await call('POST', '/v1/decisions', { token, body: { tool: 'Bash', input: 'ls' } });
  expect(await decision.json()).toMatchObject({ decision: 'ask' });
});

it('knows the rules of every layer, those of a session and of a scope as well', async () => {
  const begun = await call('POST', '/v1/sessions?scope=user:al,project:web', { token });
  const { id: session } = await begun.json<{ id: string }>();
  const written = [
    ['PUT', '/v1/policy?layer=user:al', { rules: [rule('deny', 'Skill(s001)')] }],
    ['PUT', '/v1/policy?layer=project:web', { rules: [rule('deny', 'Skill(s002)')] }],
    ['POST', `/v1/sessions/${session}/rules`, { add: [rule('deny', 'Skill(s003)')] }],
  ] as const;
  for (const [method, path, body] of written)
    expect((await call(method, path, { token, body })).status).toBe(200);
  const layers = ['organisation', 'user', 'project', 'session'];
  const effects = ['ask', 'deny', 'deny', 'deny'];
  const remove = layers.map((layer, at) => rule(effects[at] ?? '', `Skill(s00${at})`, { layer }));
  const skills = ['s000', 's001', 's002', 's003', 's004'];
  const answer = await simulate({ rules: { remove }, skills, session });
  expect(answer).toMatchObject({ unmatched: [], examined: 5 });
  expect(briefly(answer)).toEqual(effects.map((effect, at) => `s00${at}: ${effect} > allow`));
  const tools = [{ tool: 'Bash', input: 'ls' }];
  for (const layer of [...layers, 'deployment', 'call']) {
    const rules = { add: [rule('allow', 'Bash', { layer })] };
    expect((await simulate({ rules, tools, session })).changes).toMatchObject([{ after: { layer } }]);
  }
});

it('takes rules that end: by then, and for another revision, they change nothing', async () => {
  const shown = await call('GET', '/v1/skills/deploy', { token });
  const { revision } = await shown.json<{ revision: string }>();
  const other = `sha256:${'0'.repeat(64)}`;
  const changes = async (expires: object) =>
    briefly(
      await simulate({ rules: { add: [rule('allow', 'Skill(deploy)', { expires })] }, skills: ['deploy'] }),
    );
  const [past, future] = [-1_000, 60_000].map((later) => new Date(Date.now() + later).toISOString());
  expect(await changes({ until: 'time', at: future })).toEqual(['deploy: ask > allow']);
  expect(await changes({ until: 'time', at: past })).toEqual([]);
  expect(await changes({ until: 'revision', revision })).toEqual(['deploy: ask > allow']);
  expect(await changes({ until: 'revision', revision: other })).toEqual([]);
  expect(await changes({ until: 'turn' })).toEqual(['deploy: ask > allow']);
});

it.each([
  { rules: { add: [rule('allow', 'Bash(')] } },
  { rules: { add: [rule('allow', 'Bash', { layer: 'nobody' })] } },
  { rules: {}, skills: Array.from({ length: 101 }, () => 'deploy') },
  {},
])('refuses what it cannot simulate', async (body) => {
  expect(await simulate(body)).toMatchObject({ code: 'bad_request' });
});
