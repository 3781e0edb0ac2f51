import { readdirSync } from 'node:fs';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const testsIn = (folder: string): string => `test/${folder}/**/*.test.ts`;

/**
 * The pure floors, run in Node and again in workerd: they must behave the same in both. They hold no state, so that the
 * files of one worker share their modules, which takes half as long.
 */
const PURE = [
  'core',
  'catalog',
  'format',
  'policy',
  'secret',
  'text',
  'prompt',
  'listing',
  'mention',
  'detect',
  'scan',
  'audit',
  'compile',
  'model',
];
const NODE_ONLY = ['scripts', 'e2e'];
/** All others need KV, R2 or Durable Objects. A new folder is one of them until it is named above. */
const EDGE = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && ![...PURE, ...NODE_ONLY].includes(entry.name))
  .map(({ name }) => name);

/** Third parties' modules go to workerd without source maps, which are four fifths of them and more than one message holds. */
const unmapped: Plugin = {
  name: 'unmapped',
  enforce: 'post',
  transform: (code, id) => (id.includes('/node_modules/') ? { code, map: { mappings: '' } } : null),
};

const workerd = () => [
  unmapped,
  cloudflareTest({
    wrangler: { configPath: './wrangler.toml' },
    miniflare: { bindings: { SECRETS_KEY: 'only-for-tests-0123456789-0123456789-0123' } },
  }),
];

/** Generated cases of each property about policy: more of them by night. */
const policyCases = Number(process.env['POLICY_CASES'] ?? 10_000);

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Properties run thousands of cases, and a busy machine takes its time.
    testTimeout: policyCases > 10_000 ? 600_000 : 60_000,
    globalSetup: 'test/model/server/setup.ts',
    // Every use of a skill is a line in the log.
    silent: 'passed-only',
    // One for each processor; Vitest's own choice leaves one of them to itself, which is half of a small machine.
    maxWorkers: '100%',
    provide: { policyCases },
    projects: [
      {
        extends: true,
        test: { name: 'node', include: [testsIn('scripts'), 'test/house.test.ts'] },
      },
      { extends: true, test: { name: 'pure', include: PURE.map(testsIn), isolate: false } },
      {
        extends: true,
        plugins: workerd(),
        test: { name: 'pure-workerd', include: PURE.map(testsIn), isolate: false },
      },
      { extends: true, plugins: workerd(), test: { name: 'workerd', include: EDGE.map(testsIn) } },
      // A started server and real clients: processes take their time on a busy machine.
      { extends: true, test: { name: 'e2e', include: [testsIn('e2e')], testTimeout: 60_000 } },
    ],
  },
});
