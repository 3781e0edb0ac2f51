import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../src/core/digest.ts';
import { blobStore } from '../../src/store/blob-store.ts';
import { blobKey } from '../../src/store/keys.ts';
import { documentKind } from '../../src/view/json-document.ts';

const SPACE = 'o/documents';
const MOST = 1_000;

describe('a document', () => {
  it.each([
    ['hot', MOST, true],
    ['hot', MOST + 1, false],
    ['cold', MOST, true],
    ['cold', MOST + 1, false],
  ] as const)('is read from the %s store with %d bytes: %s', async (tier, bytes, isRead) => {
    const text = JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    const digest = digestOf(text);
    await env.R2.put(blobKey(SPACE, digest), text);
    if (tier === 'hot') await env.KV.put(blobKey(SPACE, digest), text);
    const kind = documentKind(z.strictObject({ text: z.string() }), MOST);
    const [document] = await blobStore(env).readDocuments([{ space: SPACE, digest }], kind);
    expect(document?.text.length).toBe(isRead ? bytes - '{"text":""}'.length : undefined);
  });
});
