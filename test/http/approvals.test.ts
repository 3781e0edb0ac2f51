import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CACHE_LIMITS } from '../../src/core/limits.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let organisation = '';
let token = '';
beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation, { label: 'ann' });
});

interface Answer extends Record<string, unknown> {
  readonly approvalId: string;
  readonly revision: string;
  readonly upgrade?: { readonly from: string };
}

interface Page {
  readonly approvals: readonly (Record<string, unknown> & { readonly id: string })[];
  readonly next: string | null;
}

const publish = (tools: string, layer = 'org', name = 'deploy') =>
  push(
    token,
    layer,
    treeOf({
      [`${name}/SKILL.md`]: skillText(name, tools === '' ? '' : `allowed-tools: ${tools}\n`, organisation),
    }),
  );
const post = async (path: string, body: unknown, as = token): Promise<Answer> =>
  (await call('POST', path, { token: as, body })).json();
const ask = (path = '/v1/decisions', more: object = {}) => post(path, { skill: 'deploy', ...more });
const list = async (query = '', as = token): Promise<Page> =>
  (await call('GET', `/v1/approvals${query}`, { token: as })).json();
const approve = (id: string, body: object = {}, as = token) =>
  post(`/v1/approvals/${id}`, { action: 'approve', ...body }, as);

describe('a question', () => {
  it('is answered by no agent, whatever its token may do', async () => {
    await publish('Bash(git push:*)');
    const { approvalId } = await ask();
    const agent = await tokenFor(organisation, { actor: 'agent' });
    expect(await approve(approvalId, {}, agent)).toMatchObject({ code: 'forbidden' });
    expect(await list('?status=pending')).toMatchObject({ approvals: [{ id: approvalId }] });
    expect(await approve(approvalId)).toMatchObject({ status: 'approved' });
  });

  it('shows exactly what is asked for, and stands in the list with it', async () => {
    await publish('Read, Bash(git push:*)');
    const answer = await ask();
    const permissions = {
      tools: ['Bash(git push:*)', 'Read'],
      hooks: [],
      shell: ['Bash(git push:*)'],
      network: [],
      requirements: [],
    };
    expect(answer).toMatchObject({ status: 'ask', permissions });
    expect(answer.upgrade).toBeUndefined();
    expect(await list('?status=pending')).toEqual({
      approvals: [
        {
          id: answer.approvalId,
          status: 'pending',
          spent: false,
          subject: {
            skill: 'deploy',
            layer: 'org',
            revision: answer.revision,
            reason: 'No rule allows it, and it has allowedTools.',
          },
          session: null,
          permissions,
          upgrade: null,
          askedAt: expect.any(String),
          duration: null,
          decidedBy: null,
          decidedAt: null,
        },
      ],
      next: null,
    });
  });

  it('moves on in the list with what becomes of it', async () => {
    await publish('Bash');
    const { approvalId } = await ask();
    await approve(approvalId);
    expect(await list('?status=pending')).toMatchObject({ approvals: [] });
    const decided = { id: approvalId, status: 'approved', decidedBy: 'ann', decidedAt: expect.any(String) };
    expect(await list('?status=approved')).toMatchObject({ approvals: [{ ...decided, spent: false }] });
    await ask('/v1/invoke', { approvalId });
    expect(await list()).toMatchObject({ approvals: [{ ...decided, spent: true }] });
    await ask('/v1/invoke');
    expect(await list()).toMatchObject({
      approvals: [{ id: approvalId, status: 'pending', decidedBy: null }],
    });
  });

  it('whose answer was used up is asked anew, also by an isolate that asked it before', async () => {
    await publish('Bash');
    const { approvalId } = await ask();
    await approve(approvalId);
    expect(await ask('/v1/invoke', { approvalId })).toMatchObject({ status: 'inline' });
    vi.useFakeTimers({ now: Date.now() + CACHE_LIMITS.recordMilliseconds, toFake: ['Date'] });
    try {
      expect(await ask()).toMatchObject({ approvalId });
    } finally {
      vi.useRealTimers();
    }
    expect(await list('?status=pending')).toMatchObject({ approvals: [{ id: approvalId }] });
  });

  it.each(['once', 'session', 'revision'])(
    'that came up since is not answered by what was approved %s before',
    async (duration) => {
      await publish('Bash');
      const common = { session: 's1' };
      const { approvalId } = await ask('/v1/decisions', common);
      await approve(approvalId, { duration });
      const rules = [{ effect: 'ask', pattern: 'Skill(deploy)', reason: 'frozen' }];
      const put = await call('PUT', '/v1/policy?layer=org', { token, body: { rules } });
      expect(put.status).toBe(200);
      const used = await ask('/v1/invoke', { ...common, approvalId });
      expect(used).toMatchObject({ code: 'approval_unknown' });
      const anew = await ask('/v1/invoke', common);
      expect(anew).toMatchObject({ status: 'ask', reason: { code: 'ask_rule' } });
      expect(anew.approvalId).not.toBe(approvalId);
    },
  );

  it('answered for one call is good for the run that it started, and for no other', async () => {
    await publish('Bash');
    const { approvalId } = await ask();
    await approve(approvalId);
    const start = async (key: string | null, body: object = {}, as = token) => {
      const headers: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key };
      const sent = { skill: 'deploy', approvalId, ...body };
      const answer = await call('POST', '/v1/runs', { token: as, body: sent, headers });
      return z
        .looseObject({ id: z.string().optional(), code: z.string().optional() })
        .parse(await answer.json());
    };
    const fifty = await Promise.all(Array.from({ length: 50 }, () => start('k')));
    const ids = new Set(fifty.map(({ id }) => id));
    expect([...ids]).toEqual([expect.stringMatching(/^run_/)]);
    const bob = await tokenFor(organisation, { label: 'bob' });
    expect(await start('k', { args: 'other' })).toMatchObject({ code: 'run_conflict' });
    for (const other of [start('other'), start(null), start('k', {}, bob)])
      expect(await other).toMatchObject({ code: 'approval_spent' });
    const headers = { 'Idempotency-Key': 'k' };
    const inline = await call('POST', '/v1/invoke', {
      token,
      body: { skill: 'deploy', approvalId },
      headers,
    });
    expect(await inline.json()).toMatchObject({ code: 'approval_spent' });
  });

  it('is listed page by page, the newest first', async () => {
    await publish('Bash');
    const asked: string[] = [];
    for (let session = 0; session < 53; session += 1)
      asked.push((await ask('/v1/decisions', { session: `s${session}` })).approvalId);
    const first = await list();
    const second = await list(`?cursor=${first.next}`);
    const listed = [...first.approvals, ...second.approvals].map(({ id }) => id);
    expect([first.approvals.length, second.next]).toEqual([50, null]);
    expect(listed.toSorted()).toEqual(asked.toSorted());
  });

  it.each(['?status=open', '?cursor=x', '?cursor=2030-01-01T00:00:00.000Z/x'])(
    '%s is no list',
    async (query) => {
      expect(await list(query)).toMatchObject({ code: 'bad_request' });
    },
  );

  it('about a layer is seen and answered by those who are bound to it, and nobody elsewhere', async () => {
    await publish('Bash', 'user:al');
    const { approvalId } = await post('/v1/decisions?scope=user:al', { skill: 'deploy' });
    const bound = async (layer: string) => tokenFor(organisation, { layers: [layer] });
    expect(await list('', await bound('user:bo'))).toMatchObject({ approvals: [] });
    expect(await list('', await tokenFor(newOrganisation()))).toMatchObject({ approvals: [] });
    expect(await approve(approvalId, {}, await bound('user:bo'))).toMatchObject({ code: 'approval_unknown' });
    expect(await list('', await bound('user:al'))).toMatchObject({ approvals: [{ id: approvalId }] });
    expect(await approve(approvalId, {}, await bound('user:al'))).toMatchObject({ status: 'approved' });
  });
});

describe('an upgrade', () => {
  const delta = (gained: object, lost: object) => ({
    gained: expect.objectContaining(gained),
    lost: expect.objectContaining(lost),
  });

  it('shows what it gains and loses beside what was approved, in the answer and on the approval', async () => {
    await publish('Read, Bash');
    const first = await ask();
    await approve(first.approvalId, { duration: 'revision' });
    await publish('Read');
    await publish('Read, WebFetch');
    const upgrade = {
      from: first.revision,
      approved: true,
      ...delta({ tools: ['WebFetch'], network: ['WebFetch'] }, { tools: ['Bash'], shell: ['Bash'] }),
    };
    const second = await ask();
    expect(second.approvalId).not.toBe(first.approvalId);
    expect(second.upgrade).toEqual(upgrade);
    // From memory, and where the skill is used.
    expect((await ask()).upgrade).toEqual(upgrade);
    expect((await ask('/v1/invoke')).upgrade).toEqual(upgrade);
    expect(await list('?status=pending')).toMatchObject({ approvals: [{ upgrade }] });
    // The approval of the other revision is none for this one.
    expect(await ask('/v1/invoke', { approvalId: first.approvalId })).toMatchObject({
      code: 'approval_unknown',
    });
  });

  it.each(['org', 'bundled'])(
    'of a skill in %s that nobody had to be asked about is one too',
    async (layer) => {
      const name = `plain-${organisation}`;
      await publish('', layer, name);
      const before = await post('/v1/decisions', { skill: name });
      expect(before).toMatchObject({ status: 'allow' });
      await publish('Bash', layer, name);
      expect((await post('/v1/decisions', { skill: name })).upgrade).toEqual({
        from: before.revision,
        approved: false,
        ...delta({ tools: ['Bash'] }, { tools: [] }),
      });
    },
  );
});
