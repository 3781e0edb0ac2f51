import { fail } from '../core/result.ts';
import type { ToolPorts } from '../tool/ports.ts';

/** What the deployment lends to tools. */
export function toolPorts(env: Env): ToolPorts {
  return {
    fetch: async (url, init) => fetch(url, init),
    secret: async (_organisation, name) => fail(`there is no secret ${name}`),
    allowsLocal: env.DEPLOYMENT === 'local',
  };
}
