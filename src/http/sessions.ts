import { Hono } from 'hono';
import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf, hexOf } from '../core/digest.ts';
import { newId } from '../core/ids.ts';
import { LISTING_LIMITS, POLICY_LIMITS, REQUEST_LIMITS, SESSION_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { ListCall, SessionAddress, SessionStart } from '../invoke/sessions/session-contract.ts';
import { sessionRulesReport } from '../invoke/sessions/session-rules-report.ts';
import { SessionRule } from '../policy/written-rule.ts';
import type { Surroundings } from '../view/surroundings.ts';
import { HostInventory } from '../view/listing/host-inventory.ts';
import { DEFAULT_SETTINGS } from '../view/settings/org-settings.ts';
import { type Principal, requireScope } from '../view/principal.ts';
import { SkillStates } from '../view/settings/skill-states.ts';
import type { TokenScope } from '../view/token.ts';
import { authenticate } from './request/authenticate.ts';
import { answerJson, answerText, type AppContext, type AppEnv, refuse } from './context.ts';
import { HostCommands, PlatformName, ProductName } from './request/host-names.ts';
import { idempotencyKey } from './request/idempotency-key.ts';
import { readListingQuery } from './request/listing-query.ts';
import { parseBody, readJson, readText } from './request/read-body.ts';
import { servicesFor } from './services.ts';
import { forgetPins, isSessionId } from './request/session-scene.ts';
import { Agent, Folder } from './request/skill-call.ts';
import { recordsOf, surroundingsOf } from './request/view-of.ts';

const NewSession = z.strictObject({
  platform: PlatformName.optional(),
  product: ProductName.optional(),
  projectDirectory: Folder.optional(),
  /** It runs the inline commands of skills itself. */
  shell: z.boolean().default(false),
  has: HostInventory.default({}),
  commands: HostCommands.default([]),
  states: SkillStates.default({}),
  idleMinutes: z.int().min(1).max(SESSION_LIMITS.longestIdleMinutes).optional(),
});

const TouchedFiles = z.strictObject({
  agent: Agent,
  paths: z.array(z.string().min(1).max(1_000)).max(LISTING_LIMITS.touchedPaths).default([]),
  command: z.string().max(POLICY_LIMITS.commandCharacters).optional(),
  /** Where relative paths start; the project's folder where nothing is said. */
  folder: Folder.optional(),
});

const HostChange = z.strictObject({ has: HostInventory.default({}), declined: z.boolean().optional() });

const RuleChange = z.strictObject({
  add: z.array(SessionRule).max(POLICY_LIMITS.sessionRules).default([]),
  remove: z.array(z.string().max(100)).max(POLICY_LIMITS.sessionRules).default([]),
  endTurn: z.boolean().default(false),
});

/** What happens to an agent between its first listing and its last, remembered. Every change can be repeated. */
export const sessions = new Hono<AppEnv>()
  .post('/', async (context) => {
    const caller = await recordsOf(context, 'skills:read');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readOptional(context, NewSession);
    if (!body.ok) return refuse(context, body.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    const { principal, layers, records } = caller.value;
    const { platform = null, product = null, projectDirectory = null } = body.value;
    const { has, commands, shell, states, idleMinutes } = body.value;
    const settings = records.find((record) => record?.layer === 'org')?.settings ?? DEFAULT_SETTINGS;
    const start: SessionStart = {
      version: 1,
      id: sessionId(principal, key.value),
      organisation: principal.organisation,
      boundTo: principal.layers === null ? null : [...principal.layers],
      startedBy: principal.label,
      layers: [...layers],
      pins: records.flatMap((record) => (record?.head ? [{ layer: record.layer, head: record.head }] : [])),
      states,
      host: { platform, product, projectDirectory, shell, has, commands },
      idleMinutes: idleMinutes ?? settings.sessions.idleMinutes,
      fingerprint: digestOf(canonicalJson([layers, body.value])),
    };
    const created = await servicesFor(context.env).sessions.create(start);
    if (!created.ok) return refuse(context, created.error);
    return answerJson(created.value, 201, { Location: `/v1/sessions/${created.value.id}` });
  })
  .get('/:id', async (context) => {
    const caller = await callerOf(context);
    if (!caller.ok) return refuse(context, caller.error);
    const session = await servicesFor(context.env).sessions.read(caller.value.address);
    return session.ok ? answerJson(session.value) : refuse(context, session.error);
  })
  .delete('/:id', async (context) => {
    const caller = await callerOf(context);
    if (!caller.ok) return refuse(context, caller.error);
    const ended = await servicesFor(context.env).sessions.end(caller.value.address);
    return ended.ok ? new Response(null, { status: 204 }) : refuse(context, ended.error);
  })
  .post('/:id/listing', async (context) => answerListing(context, 'list'))
  .post('/:id/compact', async (context) => answerListing(context, 'compact'))
  .post('/:id/host', async (context) => {
    const caller = await callerOf(context);
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readOptional(context, HostChange);
    if (!body.ok) return refuse(context, body.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    const { has, declined = null } = body.value;
    const call = { has, declined, idempotencyKey: key.value };
    const told = await servicesFor(context.env).sessions.tell(caller.value.address, call);
    return told.ok ? answerText(told.value) : refuse(context, told.error);
  })
  .post('/:id/rules', async (context) => {
    const caller = await callerOf(context, 'decisions:approve');
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readJson(context, RuleChange, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    const { address, principal } = caller.value;
    const call = { ...body.value, by: principal.label, idempotencyKey: key.value };
    const changed = await servicesFor(context.env).sessions.rule(address, call);
    if (!changed.ok) return refuse(context, changed.error);
    forgetPins(address);
    // Where the log cannot be reached, the call fails, and is told of when it is made again with its key.
    const report = sessionRulesReport(principal, address.id, call, Date.now());
    await servicesFor(context.env).audit.record(address.organisation, [report]);
    return answerText(changed.value);
  })
  .post('/:id/paths', async (context) => {
    const caller = await callerOf(context);
    if (!caller.ok) return refuse(context, caller.error);
    const body = await readOptional(context, TouchedFiles);
    if (!body.ok) return refuse(context, body.error);
    const key = idempotencyKey(context);
    if (!key.ok) return refuse(context, key.error);
    const { command = null, folder = null, ...rest } = body.value;
    const { address, surroundings } = caller.value;
    const call = { ...rest, command, folder, surroundings, idempotencyKey: key.value };
    const touched = await servicesFor(context.env).sessions.touch(address, call);
    return touched.ok ? answerText(touched.value) : refuse(context, touched.error);
  });

async function answerListing(context: AppContext, kind: 'list' | 'compact'): Promise<Response> {
  const caller = await callerOf(context);
  if (!caller.ok) return refuse(context, caller.error);
  const { address, surroundings } = caller.value;
  const call = readCall(context, surroundings);
  if (!call.ok) return refuse(context, call.error);
  const answer = await servicesFor(context.env).sessions[kind](address, call.value);
  return answer.ok ? answerText(answer.value) : refuse(context, answer.error);
}

/** The same parameters as those of `GET /v1/listing`, and what only a session knows. */
function readCall(context: AppContext, surroundings: Surroundings): Result<ListCall> {
  const query = readListingQuery(context);
  if (!query.ok) return query;
  const { contextWindow, wishes, states, tool, coverage } = query.value;
  const key = idempotencyKey(context);
  if (!key.ok) return key;
  const { activated: _, has, ...rest } = wishes;
  if (wishes.profile !== 'skilledge') return notHere('profile', 'is for comparison, outside of sessions');
  if (has !== null) return notHere('has', 'is told with POST /v1/sessions/SESSION/host in a session');
  if (wishes.unit !== 'characters') return notHere('unit', 'is always characters in a session');
  if (tool || coverage !== null) return notHere(tool ? 'tool' : 'coverage', 'is for GET /v1/listing');
  if ((wishes.budget ?? 0) > SESSION_LIMITS.budgetCharacters)
    return notHere('budget', `is more than ${SESSION_LIMITS.budgetCharacters}`);
  const after = context.req.query('after');
  if (after !== undefined && !/^\d{1,9}$/.test(after))
    return notHere('after', 'is not the sequence of a listing');
  const refresh = context.req.query('refresh');
  if (refresh !== undefined && refresh !== '1' && refresh !== '0')
    return notHere('refresh', 'is neither 1 nor 0');
  const agent = Agent.safeParse(context.req.query('agent'));
  if (!agent.success)
    return notHere('agent', `has no or more than ${REQUEST_LIMITS.agentCharacters} characters`);
  return ok({
    agent: agent.data,
    surroundings,
    contextWindow,
    wishes: rest,
    states,
    after: after === undefined ? null : Number(after),
    refresh: refresh === '1',
    idempotencyKey: key.value,
  });
}

function notHere(at: string, wrong: string) {
  return fail({
    code: 'bad_request' as const,
    at,
    detail: `${at} ${wrong}`,
    hint: 'For instance POST /v1/sessions/SESSION/listing?context_window=200000&agent=main&after=1.',
  });
}

/** Who asks, for which session, and what is as it is now. */
export async function callerOf(
  context: AppContext,
  scope: TokenScope = 'skills:read',
): Promise<Result<{ address: SessionAddress; principal: Principal; surroundings: Surroundings }>> {
  // A session has its layers; of now, only the organisation's own record is wanted.
  const authenticated = await authenticate(context, 'org');
  if (!authenticated.ok) return authenticated;
  const { principal, layers, views } = authenticated.value;
  const refused = requireScope(principal, scope);
  if (refused) return fail(refused);
  const id = context.req.param('id') ?? '';
  if (!isSessionId(id)) {
    return fail({
      code: 'session_unknown',
      detail: 'that is no id of a session',
      hint: 'POST /v1/sessions begins one.',
    });
  }
  return ok({
    address: { organisation: principal.organisation, id, boundTo: principal.layers },
    principal,
    surroundings: surroundingsOf(context, layers, views),
  });
}

/** A body that may be left out. */
async function readOptional<Schema extends z.ZodType>(
  context: AppContext,
  schema: Schema,
): Promise<Result<z.infer<Schema>>> {
  const text = await readText(context, REQUEST_LIMITS.jsonBytes);
  return text.ok ? parseBody(text.value === '' ? '{}' : text.value, schema) : text;
}

/** Equal keys of tokens with one label and the same bounds are one session. */
function sessionId({ organisation, label, layers }: Principal, key: string | null): string {
  if (key === null) return newId('ses');
  return `ses_${hexOf(digestOf(canonicalJson([organisation, label, layers, key]))).slice(0, 26)}`;
}
