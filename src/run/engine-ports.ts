import type { EnginePorts } from '../model/engine.ts';
import { workersAiOf } from '../model/providers.ts';
import { durableSecrets } from '../org/durable-secrets.ts';
import { deploymentSecret } from '../secret/deployment-secret.ts';
import { deploymentKey } from './deployment-keys.ts';

/** What engines of one organisation's runs get of the deployment. */
export function enginePorts(env: Env, organisation: string): EnginePorts {
  const secrets = durableSecrets(env.ORG, deploymentSecret(env, 'SECRETS_KEY'));
  return {
    fetch: async (url, init) => fetch(url, init),
    async key(reference, origin) {
      const [owner, name = ''] = reference.split(':');
      return owner === 'deployment'
        ? deploymentKey(env, name, organisation, origin)
        : secrets.read(organisation, name, origin);
    },
    workersAi: workersAiOf(env),
    allowsLocal: env.DEPLOYMENT === 'local',
  };
}
