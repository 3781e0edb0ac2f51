import { beforeEach, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { SessionClient } from './support.ts';

let organisation = '';
let token = '';
let session: SessionClient;

const SKILLS = {
  'pdf/SKILL.md': skillText(
    'pdf',
    '',
    'Merge $ARGUMENTS in ${CLAUDE_SESSION_ID} of ${CLAUDE_PROJECT_DIR}.\n',
  ),
  'once/SKILL.md': skillText('once', 'persist: false\n', 'Do it once.\n'),
  'lint/SKILL.md': skillText('lint', 'paths: src/**/*.ts\n', 'Lint it.\n'),
  'status/SKILL.md': skillText('status', '', 'It is !`git status` now.\n'),
  'needy/SKILL.md': skillText('needy', 'requires:\n  bins: [gh]\n', 'Use gh.\n'),
  'hooked/SKILL.md': skillText(
    'hooked',
    'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo x\n',
  ),
};

async function publish(skills: Record<string, string>): Promise<void> {
  expect((await push(token, 'org', treeOf(skills))).response.status).toBe(200);
}

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await publish(SKILLS);
  session = await SessionClient.begin(organisation, token, { body: { projectDirectory: '/home/me/web' } });
});

interface Answer {
  readonly status: string;
  readonly messages: readonly { readonly kind: string; readonly text: string }[];
  readonly alreadyLoaded: boolean;
  readonly code?: string;
  readonly [key: string]: unknown;
}

async function invoke(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await call('POST', '/v1/invoke', { token, headers, body: { session: session.id, ...body } });
  return answer.json();
}
const kinds = ({ messages }: Answer) => messages.map(({ kind }) => kind);
const seen = async () => {
  const { body } = await session.call('GET', '');
  return body['agents'];
};

describe('an invocation in a session', () => {
  it('knows the session and the project, and is noted', async () => {
    const answer = await invoke({ skill: 'pdf', args: 'a b' });
    expect(answer.messages[1]?.text).toContain(`Merge a b in ${session.id} of /home/me/web.`);
    expect(answer).toMatchObject({ status: 'inline', alreadyLoaded: false, preflight: { missing: [] } });
    expect(await seen()).toMatchObject([{ agent: 'main', invoked: [{ skill: 'pdf', layer: 'org' }] }]);
  });

  it('is a short note where the same text is loaded, for that agent alone', async () => {
    await invoke({ skill: 'pdf', args: 'a' });
    const again = await invoke({ skill: 'pdf', args: 'a' });
    expect([kinds(again), again.alreadyLoaded]).toEqual([['skill_note'], true]);
    expect(kinds(await invoke({ skill: 'pdf', args: 'other' }))).toEqual(['skill_metadata', 'skill_body']);
    expect(kinds(await invoke({ skill: 'pdf', args: 'other', agent: 'helper' }))).toEqual([
      'skill_metadata',
      'skill_body',
    ]);
  });

  it('is the same once more for a repeated request', async () => {
    const key = { 'Idempotency-Key': 'k' };
    const first = await invoke({ skill: 'pdf', args: 'a' }, key);
    expect(await invoke({ skill: 'pdf', args: 'a' }, key)).toEqual(first);
    expect((await invoke({ skill: 'pdf', args: 'a' })).alreadyLoaded).toBe(true);
  });

  it('is the same in an object that has the text in memory', async () => {
    const key = { 'Idempotency-Key': 'k' };
    const isLoaded = async (body: Record<string, unknown>, headers = {}) =>
      (await invoke(body, headers)).alreadyLoaded;
    const [one, other] = [
      { skill: 'pdf', args: 'a' },
      { skill: 'pdf', args: 'b' },
    ];
    expect(await isLoaded(one, key)).toBe(false);
    for (let again = 0; again < 3; again += 1) expect(await isLoaded(one)).toBe(true);
    expect(await isLoaded(one, key)).toBe(false);
    expect(await isLoaded(one, { 'Idempotency-Key': 'l' })).toBe(true);
    expect(await isLoaded(other)).toBe(false);
    expect([await isLoaded(other), await isLoaded(other)]).toEqual([true, true]);
    expect(await isLoaded(one)).toBe(false);
  });

  it('is not loaded any more where a compaction left it out, nor in another session', async () => {
    const loaded = async (skill: string) => (await invoke({ skill })).alreadyLoaded;
    for (const skill of ['once', 'pdf']) {
      expect([await loaded(skill), await loaded(skill), await loaded(skill)]).toEqual([false, true, true]);
    }
    // Not through the client, which would evict the object.
    const compacted = await call('POST', `/v1/sessions/${session.id}/compact`, { token });
    expect(compacted.status).toBe(200);
    expect([await loaded('once'), await loaded('pdf')]).toEqual([false, true]);
    session = await SessionClient.begin(organisation, token);
    expect(await loaded('pdf')).toBe(false);
  });

  it('stands at the catalogs of the session, also after another isolate moved it on', async () => {
    await invoke({ skill: 'pdf' });
    await publish({ 'pdf/SKILL.md': skillText('pdf', '', 'New.\n'), 'fresh/SKILL.md': skillText('fresh') });
    expect((await invoke({ skill: 'pdf', args: 'x' })).messages[1]?.text).toContain('Merge x');
    expect((await invoke({ skill: 'fresh' })).code).toBe('skill_unknown');
    await session.list('?refresh=1');
    expect((await invoke({ skill: 'pdf' })).messages[1]?.text).toContain('New.');
    expect((await invoke({ skill: 'fresh' })).status).toBe('inline');
    expect((await invoke({ skill: 'lint' })).code).toBe('skill_unknown');
  });

  it('is noted with what counts now, also where the text is the same as before', async () => {
    const skill = (more: string) => ({ 'tool/SKILL.md': skillText('tool', `allowed-tools: Read\n${more}`) });
    await call('PUT', '/v1/settings', { token, body: { permissions: { allow: ['Skill(tool)'] } } });
    await publish(skill(''));
    session = await SessionClient.begin(organisation, token);
    expect(await invoke({ skill: 'tool', grants: [] })).toMatchObject({ alreadyLoaded: false });
    expect(await seen()).toMatchObject([{ invoked: [{ grants: [] }] }]);
    await publish(skill('persist: false\n'));
    await session.list('?refresh=1');
    const again = await invoke({ skill: 'tool' });
    expect(again).toMatchObject({ alreadyLoaded: true });
    const { revision } = Object(again['skill']);
    expect(await seen()).toMatchObject([{ invoked: [{ revision, grants: ['Read'] }] }]);
    // In the same object, which knows the text by now.
    expect(await invoke({ skill: 'tool', grants: [] })).toMatchObject({ alreadyLoaded: true });
    expect(await seen()).toMatchObject([{ invoked: [{ grants: [] }] }]);
    expect(await session.compact()).toMatchObject({ left: [{ revision, reason: 'not-persistent' }] });
  });

  it('obeys what was switched off and forbidden since', async () => {
    await invoke({ skill: 'pdf' });
    const body = { states: { pdf: 'off' }, permissions: { deny: ['Skill(once)'] } };
    expect((await call('PUT', '/v1/settings', { token, body })).status).toBe(200);
    expect((await invoke({ skill: 'pdf' })).code).toBe('skill_unknown');
    expect((await invoke({ skill: 'once' })).code).toBe('skill_denied');
  });

  it('is refused in a session that is not there', async () => {
    const id = `ses_${'0'.repeat(26)}`;
    expect((await invoke({ skill: 'pdf', session: id })).code).toBe('session_unknown');
    await invoke({ skill: 'pdf' });
    await session.call('DELETE', '');
    expect((await invoke({ skill: 'pdf' })).code).toBe('session_unknown');
    expect((await invoke({ skill: 'pdf', session: 'a label of the caller' })).status).toBe('inline');
  });

  it('has its commands run by a host that says it can', async () => {
    expect((await invoke({ skill: 'status' })).requires).toEqual(['shell']);
    session = await SessionClient.begin(organisation, token, { body: { shell: true } });
    expect((await invoke({ skill: 'status' })).status).toBe('shell');
    expect((await invoke({ skill: 'status', shell: 'off' })).status).toBe('inline');
  });

  it('registers hooks', async () => {
    const asked = await invoke({ skill: 'hooked', trigger: 'user' });
    expect(asked.status).toBe('ask');
    const approved = await call('POST', `/v1/approvals/${String(asked['approvalId'])}`, {
      token,
      body: { action: 'approve', duration: 'session' },
    });
    expect(approved.status).toBe(200);
    await invoke({ skill: 'hooked', trigger: 'user', approvalId: asked['approvalId'] });
    expect(JSON.stringify(await seen())).toContain('PreToolUse');
    expect(await seen()).toMatchObject([{ invoked: [{ skill: 'hooked', grants: [] }] }]);
  });
});

describe('what its host lacks', () => {
  it('is a platform as well, where the host is another one', async () => {
    await publish({ 'mac/SKILL.md': skillText('mac', 'platforms: [macos]\n') });
    const on = async (body: object) => {
      session = await SessionClient.begin(organisation, token, { body });
      return invoke({ skill: 'mac' });
    };
    const told = (otherPlatforms: string[]) => ({ status: 'inline', preflight: { otherPlatforms } });
    expect(await on({ platform: 'linux' })).toMatchObject(told(['macos']));
    expect(await on({ platform: 'macos' })).toMatchObject(told([]));
    expect(await on({})).toMatchObject(told([]));
    await call('PUT', '/v1/settings', { token, body: { requirements: 'hide' } });
    expect(await on({ platform: 'linux' })).toMatchObject({ code: 'skill_requirement_missing' });
    expect(await invoke({ skill: 'mac', trigger: 'user' })).toMatchObject(told(['macos']));
  });

  it('is told with the answer, and with a decision', async () => {
    session = await SessionClient.begin(organisation, token, { body: { has: { bins: [] } } });
    const missing = [{ kind: 'bins', oneOf: ['gh'] }];
    expect(await invoke({ skill: 'needy' })).toMatchObject({ status: 'inline', preflight: { missing } });
    const decided = await call('POST', '/v1/decisions', {
      token,
      body: { skill: 'needy', session: session.id },
    });
    expect(await decided.json()).toMatchObject({ decision: 'allow', missing });
    await session.call('POST', '/host', { body: { has: { bins: ['gh'] } } });
    expect(await invoke({ skill: 'needy', args: 'x' })).toMatchObject({ preflight: { missing: [] } });
  });

  it('keeps a model from it where the organisation hides such skills', async () => {
    await call('PUT', '/v1/settings', { token, body: { requirements: 'hide' } });
    session = await SessionClient.begin(organisation, token, { body: { has: { bins: [] } } });
    expect((await invoke({ skill: 'needy' })).code).toBe('skill_requirement_missing');
    expect((await invoke({ skill: 'needy', trigger: 'user' })).status).toBe('inline');
  });
});

describe('compaction', () => {
  it('attaches what was invoked again, the newest first, and never another agent’s', async () => {
    await invoke({ skill: 'pdf', args: 'to "main"' });
    await invoke({ skill: 'once' });
    await invoke({ skill: 'lint' });
    await invoke({ skill: 'status', agent: 'helper' });
    const compacted = await session.compact();
    expect(compacted).toMatchObject({
      attached: [
        { skill: 'lint', cut: false },
        { skill: 'pdf', cut: false },
      ],
      left: [{ skill: 'once', reason: 'not-persistent' }],
    });
    expect(JSON.stringify(compacted['messages'])).toContain('to &#x22;main&#x22;');
    // What is attached is loaded; what was left out comes whole again.
    expect((await invoke({ skill: 'lint' })).alreadyLoaded).toBe(true);
    expect((await invoke({ skill: 'once' })).alreadyLoaded).toBe(false);
  });
});
