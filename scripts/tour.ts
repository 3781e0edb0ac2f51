import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { buildBundle } from './lib/build-bundle.ts';
import { openBundle } from './lib/bundle.ts';
import { developmentToken } from './lib/development-token.ts';
import { localSecrets } from './lib/local-secrets.ts';
import { freePort, startLocalServer } from './lib/local-server.ts';
import { pushLayer } from './lib/push-bundle.ts';

const USAGE = `npm run tour

A conversation with a session, printed step by step: list, touch a file, invoke, compact, resume. It starts a server of its
own with two skills in it, and leaves nothing behind.`;

const SKILLS: Readonly<Record<string, string>> = {
  'release-notes': `---
name: release-notes
description: Writes release notes from merged changes. Use when a version is about to be published.
---
Collect what was merged since the last tag, and write one line for each change that a user can see.
`,
  'house-style': `---
name: house-style
description: How code is written here. Use when TypeScript is written or changed.
paths: src/**/*.ts
---
Look at $ARGUMENTS. Whole words in names, errors as values, and a test beside every change.
`,
};

const Listing = z.object({ text: z.string(), used: z.number(), total: z.number(), sequence: z.number() });
const Session = z.object({ id: z.string(), agents: z.array(z.object({ invoked: z.array(z.unknown()) })) });
const Touched = z.object({ activated: z.array(z.object({ name: z.string() })) });
const Invoked = z.object({ messages: z.array(z.object({ text: z.string() })), alreadyLoaded: z.boolean() });
const Compacted = z.object({
  listing: Listing,
  attached: z.array(z.object({ skill: z.string(), tokens: z.number() })),
  messages: z.array(z.object({ text: z.string() })),
});

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(USAGE);
  process.exit(0);
}

let steps = 0;
const folder = mkdtempSync(join(tmpdir(), 'skilledge-tour-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const [name, text] of Object.entries(SKILLS)) {
  mkdirSync(join(folder, 'skills', name), { recursive: true });
  writeFileSync(join(folder, 'skills', name, 'SKILL.md'), text);
}
const token = developmentToken(join(folder, 'token'));
const { port } = await freePort();
const server = await startLocalServer({
  port,
  stateDirectory: join(folder, 'state'),
  tokenHash: token.hash,
  secretsFile: localSecrets(folder),
  quiet: true,
});
try {
  await pushSkills();
  await walk();
} finally {
  await server.stop();
}

async function pushSkills(): Promise<void> {
  await buildBundle([{ layer: 'org', directory: join(folder, 'skills') }], join(folder, 'bundle'), []);
  const bundle = openBundle(join(folder, 'bundle'));
  for (const layer of bundle.layers) await pushLayer(bundle, layer, { url: server.url, token: token.text });
  bundle.close();
}

async function walk(): Promise<void> {
  const session = await post(Session, '/v1/sessions', {});
  const path = `/v1/sessions/${session.id}`;
  const list = (query = ''): Promise<z.infer<typeof Listing>> =>
    post(Listing, `${path}/listing?context_window=200000${query}`);

  const first = await list();
  step('The agent is told what there is', `POST ${short('/listing?context_window=200000')}`);
  show(first.text, `${first.used} of ${first.total} characters`);

  const touched = await post(Touched, `${path}/paths`, { command: 'sed -n 1,20p src/app.ts' });
  step(
    'It reads src/app.ts, and the host says so',
    `POST ${short('/paths')} {"command": "sed -n 1,20p src/app.ts"}`,
  );
  show(`activated: ${touched.activated.map(({ name }) => name).join(', ')}`);

  const second = await list(`&after=${first.sequence}`);
  step(
    'The next listing has what is new, and nothing else',
    `POST ${short(`/listing?after=${first.sequence}`)}`,
  );
  show(second.text);

  const repeated = await list(`&after=${first.sequence}`);
  step(
    'Had that answer been lost, it could be had again',
    `POST ${short(`/listing?after=${first.sequence}`)}`,
  );
  show(repeated.text);

  const call = { skill: 'house-style', args: 'src/app.ts', session: session.id };
  const invoked = await post(Invoked, '/v1/invoke', call);
  step(
    'The skill is invoked',
    'POST /v1/invoke {"skill": "house-style", "args": "src/app.ts", "session": "..."}',
  );
  show(invoked.messages.map(({ text }) => text).join('\n'));

  const again = await post(Invoked, '/v1/invoke', call);
  step('Once more: the agent has it already', 'the same request');
  show(again.messages.map(({ text }) => text).join('\n'));

  const compacted = await post(Compacted, `${path}/compact?context_window=200000`);
  step(
    'The conversation is compacted: the whole listing again, and what was loaded',
    `POST ${short('/compact')}`,
  );
  show(compacted.listing.text, compacted.messages.map(({ text }) => text).join('\n'));

  const resumed = await get(Session, path);
  step(
    'Hours later, somebody resumes',
    `GET /v1/sessions/...; POST ${short(`/listing?after=${compacted.listing.sequence}`)}`,
  );
  const last = await list(`&after=${compacted.listing.sequence}`);
  show(
    `invoked: ${resumed.agents[0]?.invoked.length ?? 0} skill; new since then: ${last.text === '' ? 'nothing' : last.text}`,
  );
}

function short(rest: string): string {
  return `/v1/sessions/...${rest}`;
}

function step(what: string, how: string): void {
  steps += 1;
  console.log(`${steps === 1 ? '' : '\n'}${steps}. ${what}.\n   ${how}`);
}

function show(...texts: readonly string[]): void {
  for (const line of texts.flatMap((text) => text.split('\n'))) console.log(`   | ${line}`.trimEnd());
}

function post<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  body?: unknown,
): Promise<z.infer<Schema>> {
  return send(schema, path, { method: 'POST', body: JSON.stringify(body ?? {}) });
}

function get<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.infer<Schema>> {
  return send(schema, path, {});
}

async function send<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  init: RequestInit,
): Promise<z.infer<Schema>> {
  const headers = { Authorization: `Bearer ${token.text}`, 'Content-Type': 'application/json' };
  const answer = await fetch(new URL(path, server.url), { ...init, headers });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(body)}`);
  return schema.parse(body);
}
