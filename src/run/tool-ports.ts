import { durableSecrets } from '../org/durable-secrets.ts';
import { deploymentSecret } from '../secret/deployment-secret.ts';
import type { ToolPorts } from '../tool/ports.ts';

/** What the deployment lends to tools. */
export function toolPorts(env: Env): ToolPorts {
  const secrets = durableSecrets(env.ORG, deploymentSecret(env, 'SECRETS_KEY'));
  return {
    fetch: async (url, init) => fetch(url, init),
    secret: (organisation, name, origin) => secrets.read(organisation, name, origin),
    allowsLocal: env.DEPLOYMENT === 'local',
  };
}
