import type { TestProject } from 'vitest/node';
import { serveModels } from './serve.ts';

/** Before all tests, in Node: what runs in workerd reaches the servers over the loopback interface. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await serveModels();
  project.provide('models', url);
  return stop;
}
