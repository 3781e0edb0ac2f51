import type { TestProject } from 'vitest/node';
import { serveModels } from './serve.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test model servers are. */
    readonly models: string;
  }
}

/** Before all tests, in Node: what runs in workerd reaches the servers over the loopback interface. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await serveModels();
  project.provide('models', url);
  return stop;
}
