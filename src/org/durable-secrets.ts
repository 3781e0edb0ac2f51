import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { Seal } from '../secret/seal.ts';
import type { SecretReader } from '../secret/secret.ts';
import type { Secrets } from '../view/ports.ts';
import { ownerName } from '../store/keys.ts';
import type { OrgObject } from './org-object.ts';

/**
 * Secrets in the organisation's object, which sees them sealed and has no key. `secretsKey`: the deployment's
 * `SECRETS_KEY`, null where it has none.
 */
export function durableSecrets(
  namespace: DurableObjectNamespace<OrgObject>,
  secretsKey: string | null,
): Secrets & SecretReader {
  const seal = Seal.of(secretsKey);
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    async put(organisation, name, { value, origins }, by) {
      if (seal === null) return fail(unavailable());
      const info = { name, origins, updatedBy: by.label, updatedAt: new Date().toISOString() };
      const sealed = await seal.close(value, { organisation, name, origins });
      const stored = await owner(organisation).putSecret(organisation, { ...info, sealed }, by);
      return stored.ok ? ok(info) : stored;
    },
    remove: async (organisation, name, by) => owner(organisation).removeSecret(organisation, name, by),
    list: async (organisation) => [...(await owner(organisation).listSecrets())],
    async read(organisation, name, origin): Promise<Result<string, string>> {
      const secret = await owner(organisation).readSecret(name);
      if (secret === null) return fail(`there is no secret ${name}`);
      const { origins, sealed } = secret;
      if (origins !== null && !origins.includes(origin))
        return fail(`the secret ${name} is not for ${origin}`);
      const value = (await seal?.open(sealed, { organisation, name, origins })) ?? null;
      return value === null ? fail(`the secret ${name} cannot be opened: write it again`) : ok(value);
    },
  };
}

function unavailable(): Problem {
  return {
    code: 'secrets_unavailable',
    detail: 'this deployment has no SECRETS_KEY, and keeps nothing unencrypted',
    hint: 'Whoever runs it sets one: `openssl rand -base64 32 | npx wrangler secret put SECRETS_KEY`.',
  };
}
