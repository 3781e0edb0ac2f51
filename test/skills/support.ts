/// <reference types="vite/types/importMeta.d.ts" />
import { expect } from 'vitest';
import { z } from 'zod';
import type { SourceTree } from '../../src/compile/source-tree.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

// Only text is in the skills; workerd has no disk, so the bundler puts them into the test.
const skillFiles = import.meta.glob<string>('../../skills/**/*', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const fixtures = import.meta.glob<string>('./fixtures/*', { query: '?raw', import: 'default', eager: true });

export function fixture(name: string): string {
  const text = fixtures[`./fixtures/${name}`];
  if (text === undefined) throw new Error(`there is no fixture ${name}`);
  return text;
}

/** The folder `skills/` as it is in the repository. */
export function bundledTree(): SourceTree {
  const files = Object.entries(skillFiles).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return {
      path: path.slice('../../skills/'.length),
      size: bytes.length,
      executable: false,
      read: async () => bytes,
    };
  });
  return { files, diagnostics: [] };
}

/** A token of a new organisation that allows these skills and nothing else, with all of `skills/` pushed as bundled. */
export async function organisationWith(allowed: readonly string[]): Promise<string> {
  const token = await tokenFor(newOrganisation());
  const { response } = await push(token, 'bundled', bundledTree());
  expect(response.status).toBe(200);
  const permissions = { allow: allowed.map((name) => `Skill(${name})`) };
  const settings = await call('PUT', '/v1/settings', { token, body: { permissions } });
  expect(settings.status).toBe(200);
  return token;
}

const Run = z.object({
  status: z.string(),
  stopReason: z.string().nullable(),
  engine: z.string(),
  result: z.string().nullable(),
  tools: z.object({ missing: z.array(z.string()) }),
  steps: z.array(
    z.object({ kind: z.string(), input: z.string().optional(), exitCode: z.number().optional() }),
  ),
  files: z.array(z.object({ path: z.string(), size: z.number() })),
});
type Run = z.infer<typeof Run>;

/** Invokes a forked skill and waits for the end of its run. */
export async function run(
  token: string,
  skill: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  args?: string,
): Promise<Run> {
  const sent = Object.entries(files).map(([path, content]) =>
    typeof content === 'string'
      ? { path, text: content }
      : { path, base64: btoa(String.fromCharCode(...content)) },
  );
  const body = { skill, files: sent, ...(args === undefined ? {} : { args }) };
  const response = await call('POST', '/v1/invoke', { token, body, headers: { Prefer: 'wait=20' } });
  const answer = z.object({ status: z.literal('forked'), run: Run }).parse(await response.json());
  expect(answer.run.engine).toBe('runbook');
  expect(answer.run.tools.missing).toEqual([]);
  return answer.run;
}

const Inline = z.object({
  status: z.literal('inline'),
  messages: z.array(z.object({ role: z.string(), kind: z.string(), text: z.string() })),
  contextModifier: z.record(z.string(), z.unknown()),
  attachments: z.array(z.object({ path: z.string() })),
  decision: z.object({ decision: z.string() }).loose(),
});

/** Invokes an inline skill: the text that a host adds, and everything else of the answer. */
export async function inline(token: string, body: Readonly<Record<string, unknown>>) {
  const response = await call('POST', '/v1/invoke', { token, body });
  const answer = Inline.parse(await response.json());
  return { ...answer, text: answer.messages.find(({ kind }) => kind === 'skill_body')?.text ?? '' };
}
