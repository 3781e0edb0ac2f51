import { z } from 'zod';
import { logFault } from '../core/log.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { deploymentSecret } from '../secret/deployment-secret.ts';
import { SecretName } from '../secret/secret.ts';

/** The variable `MODEL_KEYS`: where alone a key of the deployment is sent, and for which organisations (absent: all). */
const DeploymentKeys = z.record(
  SecretName,
  z.strictObject({ origin: z.string(), organisations: z.array(z.string()).optional() }),
);
type DeploymentKeys = z.infer<typeof DeploymentKeys>;

/**
 * A key of the deployment, for an organisation that names it in its settings. These say where requests go, and are not
 * the deployment's: so the deployment says of every key where it may be sent. Nothing else that is bound is reached.
 */
export function deploymentKey(
  env: Pick<Env, 'MODEL_KEYS'>,
  name: string,
  organisation: string,
  origin: string,
): Result<string, string> {
  const keys = readKeys(env.MODEL_KEYS);
  const rule = Object.hasOwn(keys, name) ? keys[name] : undefined;
  const value = deploymentSecret(env, name);
  // One answer for what is not there and what is not for this organisation.
  if (rule === undefined || value === null || rule.organisations?.includes(organisation) === false)
    return fail(`the deployment has no key ${name} for this organisation`);
  return rule.origin === origin ? ok(value) : fail(`the deployment’s key ${name} is not for ${origin}`);
}

function readKeys(text: string): DeploymentKeys {
  try {
    return DeploymentKeys.parse(JSON.parse(text));
  } catch {
    logFault('model_keys_unreadable', { reason: 'MODEL_KEYS is not what wrangler.toml says' });
    return {};
  }
}
