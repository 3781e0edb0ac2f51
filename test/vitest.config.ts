import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** The pure floors, run in Node and again in workerd: they must behave the same in both. */
const PURE = ['core', 'catalog', 'format', 'policy', 'prompt', 'listing', 'compile'].map(
  (floor) => `test/${floor}/**/*.test.ts`,
);
/** Floors that need KV, R2 or Durable Objects. */
const EDGE = ['view', 'publish', 'invoke', 'store', 'org', 'run', 'search', 'http', 'skills'].map(
  (floor) => `test/${floor}/**/*.test.ts`,
);

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'node', include: [...PURE, 'test/scripts/**/*.test.ts', 'test/house.test.ts'] },
      },
      {
        extends: true,
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: { name: 'workerd', include: [...PURE, ...EDGE] },
      },
      // A started server and real clients: processes take their time on a busy machine.
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
