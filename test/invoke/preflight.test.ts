import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { decideSkill, type Trigger } from '../../src/invoke/decide-skill.ts';
import { preflightSkill } from '../../src/invoke/preflight.ts';
import type { SessionAddress } from '../../src/invoke/sessions/session-contract.ts';
import { sessionView } from '../../src/invoke/sessions/session-view.ts';
import { servicesFor } from '../../src/http/services.ts';
import { findSkill } from '../../src/view/find-skill.ts';
import { readDetails } from '../../src/view/read-skill.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { SessionClient } from '../session/support.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let organisation = '';
let token = '';
let session = new SessionClient('', '', '');
const services = servicesFor(env);

const SKILLS = {
  'merge/SKILL.md': skillText(
    'merge',
    'requires: {bins: [gh], env: [TOKEN, {name: EXTRA, optional: true}]}\n',
  ),
  'plain/SKILL.md': skillText('plain'),
  'report/SKILL.md': skillText('report', 'requires: {skills: [plain, pdf]}\n'),
};

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await push(token, 'org', treeOf(SKILLS));
  session = await SessionClient.begin(organisation, token, { body: { has: { bins: [], env: ['TOKEN'] } } });
});

/** As a call of a session would: its pins, its view, the skill, and then what is missing. */
async function preflight(skill: string, trigger: Trigger = 'model', idempotencyKey: string | null = null) {
  const address: SessionAddress = { organisation, id: session.id, boundTo: null };
  const pins = await services.sessions.pins(address);
  const { views } = await services.records.read(null, ['org'], organisation);
  if (!pins.ok) throw new Error('no session');
  const view = sessionView(organisation, pins.value, { organisation: views[0] ?? null, flags: [] }, 'main');
  const found = await findSkill(services, view, { name: skill });
  if (!found.ok) throw new Error('no skill');
  const details = await readDetails(services.blobs, found.value);
  if (!details.ok) throw new Error('no report');
  const decided = await decideSkill(services, view, { skill, trigger, session: session.id });
  const result = await preflightSkill(
    services,
    view,
    { address, has: pins.value.host.has, platform: pins.value.host.platform },
    { found: found.value, details: details.value },
    { trigger, idempotencyKey },
  );
  return { result, decision: decided.ok ? decided.value.decision.decision : null };
}
const settings = (requirements: string) => call('PUT', '/v1/settings', { token, body: { requirements } });

describe('before a skill is used', () => {
  it('says what is missing, and what would be of use', async () => {
    expect(await preflight('merge')).toEqual({
      decision: 'allow',
      result: {
        ok: true,
        value: {
          missing: [{ kind: 'bins', oneOf: ['gh'] }],
          betterWith: ['EXTRA'],
          otherPlatforms: [],
          question: null,
        },
      },
    });
    expect((await preflight('plain')).result).toEqual({
      ok: true,
      value: { missing: [], betterWith: [], otherPlatforms: [], question: null },
    });
  });

  it('looks for other skills among those of the session', async () => {
    expect((await preflight('report')).result).toMatchObject({
      value: { missing: [{ kind: 'skills', oneOf: ['pdf'] }] },
    });
    await call('PUT', '/v1/settings', { token, body: { states: { plain: 'off' } } });
    expect((await preflight('report')).result).toMatchObject({
      value: { missing: [{ oneOf: ['plain'] }, { oneOf: ['pdf'] }] },
    });
  });

  it('knows what the host has by now', async () => {
    const pinned = await services.sessions.pins({ organisation, id: session.id, boundTo: null });
    await session.call('POST', '/host', { body: { has: { bins: ['gh'] } } });
    expect((await preflight('merge')).result).toMatchObject({ value: { missing: [] } });
    const after = await services.sessions.pins({ organisation, id: session.id, boundTo: null });
    // What an isolate remembers of the session must be seen to be old.
    expect(pinned.ok && after.ok && after.value.generation - pinned.value.generation).toBe(1);
  });

  it('refuses a model what is hidden from it, and no person', async () => {
    await settings('hide');
    expect(await preflight('merge')).toMatchObject({
      decision: 'allow',
      result: {
        ok: false,
        error: { code: 'skill_requirement_missing', data: { missing: [{ kind: 'bins', oneOf: ['gh'] }] } },
      },
    });
    expect((await preflight('merge', 'user')).result).toMatchObject({
      ok: true,
      value: { missing: [{ kind: 'bins', oneOf: ['gh'] }] },
    });
    expect((await preflight('plain')).result.ok).toBe(true);
  });

  it('asks once, and a repeated call as before', async () => {
    await settings('ask');
    const first = await preflight('merge', 'model', 'key');
    expect(first.result).toMatchObject({
      value: { question: { missing: [{ kind: 'bins', oneOf: ['gh'], skills: ['merge'] }] } },
    });
    expect(await preflight('merge', 'model', 'key')).toEqual(first);
    expect((await preflight('merge')).result).toMatchObject({
      value: { missing: [{ oneOf: ['gh'] }], question: null },
    });
    // A listing asks for the rest, and then there is nothing left to ask for.
    expect((await session.list())['preflight']).toMatchObject({ missing: [{ oneOf: ['pdf'] }] });
    expect((await preflight('report')).result).toMatchObject({ value: { question: null } });
  });

  it('is no other request where the host has more by the time it is repeated', async () => {
    await settings('ask');
    await session.call('POST', '/host', { body: { has: { env: [] } } });
    const first = await preflight('merge', 'model', 'key');
    expect(first.result).toMatchObject({ value: { question: { missing: [{}, {}] } } });
    await session.call('POST', '/host', { body: { has: { env: ['TOKEN'] } } });
    expect((await preflight('merge', 'model', 'key')).result).toMatchObject({
      value: { missing: [{ oneOf: ['gh'] }], question: { missing: [{}, {}] } },
    });
    expect((await preflight('report', 'model', 'key')).result).toMatchObject({
      error: { code: 'session_conflict' },
    });
  });

  it('asks nobody who goes on without it', async () => {
    await settings('ask');
    await session.call('POST', '/host', { body: { declined: true } });
    expect((await preflight('merge')).result).toMatchObject({
      value: { missing: [{ oneOf: ['gh'] }], question: null },
    });
  });
});
