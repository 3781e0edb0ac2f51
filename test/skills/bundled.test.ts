import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { CollectedBlobs } from '../compile/trees.ts';
import { call } from '../support/deployment.ts';
import { bundledTree, organisationWith } from './support.ts';

const NAMES = [
  'debug',
  'find-skills',
  'inventory',
  'release-check',
  'review-changes',
  'verify',
  'write-changelog',
];

it('compile without a remark', async () => {
  const compiled = await compileLayer('bundled', bundledTree(), new CollectedBlobs());
  expect(compiled.skills).toBe(NAMES.length);
  expect(compiled.notLoaded).toEqual([]);
  expect(compiled.diagnostics).toEqual([]);
});

describe('in the catalog', () => {
  let token = '';
  beforeAll(async () => {
    token = await organisationWith([]);
  });

  it('are all listed in full where the window is unknown', async () => {
    const answer = await (await call('GET', '/v1/listing', { token })).json();
    const { listing, used, counts } = z
      .object({ listing: z.string(), used: z.number(), counts: z.record(z.string(), z.number()) })
      .parse(answer);
    expect(used).toBeLessThanOrEqual(8_000);
    expect(counts).toMatchObject({ total: 7, full: 7, shortened: 0, nameOnly: 0, omitted: 0 });
    expect(listing.split('\n').map((line) => /^- ([a-z-]+): /.exec(line)?.[1])).toEqual(NAMES);
  });

  it.each(NAMES)(
    '%s says what it does within the cap of a listing, and has a body of a fair size',
    async (name) => {
      const answer = await (await call('GET', `/v1/skills/${name}`, { token })).json();
      const { fields } = z
        .object({
          fields: z.object({
            description: z.string(),
            context: z.string(),
            allowedTools: z.array(z.string()),
          }),
        })
        .parse(answer);
      expect(fields.description.length).toBeGreaterThan(80);
      expect(fields.description.length).toBeLessThanOrEqual(250);
      expect(fields.description).toMatch(/\bUse (for|to|when|before)\b/);
      // The sandbox is there without asking; a skill that declares a tool is a question to a person first.
      if (fields.context === 'fork') expect(fields.allowedTools).toEqual([]);
      const body = await (await call('GET', `/v1/skills/${name}/body`, { token })).text();
      const lines = body.split('\n').length;
      expect(lines).toBeGreaterThan(20);
      expect(lines).toBeLessThanOrEqual(120);
    },
  );
});
