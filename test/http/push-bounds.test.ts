/** A token that is bound to one layer is told the same, whatever the others have. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { CollectedBlobs, skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, sendBlobs, tokenFor } from '../support/deployment.ts';

const LAYER = 'user:alice';

const sink = new CollectedBlobs();
const compiled = await compileLayer(
  LAYER,
  treeOf({ 'plans/SKILL.md': skillText('plans', '', 'The plans.\n'), 'plans/data.txt': 'the pin is 1234' }),
  sink,
);
const blobs = [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob }));

/** A token of a new organisation that is bound to one layer, to which this was pushed; elsewhere there may be all of it. */
async function bound(sent: typeof blobs, elsewhere: boolean): Promise<string> {
  const organisation = newOrganisation();
  const token = await tokenFor(organisation, { layers: [LAYER] });
  await sendBlobs(token, LAYER, sent);
  const anybody = await tokenFor(organisation);
  if (elsewhere) for (const layer of ['user:bob', 'org']) await sendBlobs(anybody, layer, blobs);
  return token;
}

/** What a call answers where others have all of it, and where nobody does. */
async function answers(sent: typeof blobs, path: string, body: object): Promise<[string, string]> {
  const answer = async (elsewhere: boolean): Promise<string> => {
    const response = await call('POST', path, { token: await bound(sent, elsewhere), body });
    const { requestId: _, ...said } = z.looseObject({}).parse(await response.json());
    return JSON.stringify({ status: response.status, ...said });
  };
  return [await answer(true), await answer(false)];
}

it('what is missing', async () => {
  const digests = blobs.map(({ digest }) => digest);
  const [there, nowhere] = await answers([], '/v1/push/missing', { layer: LAYER, digests });
  expect(there).toBe(nowhere);
  expect(JSON.parse(there)).toMatchObject({ missing: digests });
});

const { catalog, index } = compiled;
const MOVE = { layer: LAYER, catalog, index, expected: null };

it.each(blobs)('why a head does not move without $digest, which another layer has', async (left) => {
  const sent = blobs.filter(({ digest }) => digest !== left.digest);
  const [there, nowhere] = await answers(sent, '/v1/push/head', MOVE);
  expect(there).toBe(nowhere);
  expect(JSON.parse(there)).toMatchObject({ code: expect.stringMatching(/push_invalid|blob_missing/) });
});

it('and what was pushed to its own layer is there', async () => {
  const token = await bound(blobs, false);
  expect((await call('POST', '/v1/push/head', { token, body: MOVE })).status).toBe(200);
});
