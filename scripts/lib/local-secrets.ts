import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { base64Url } from '../../src/core/ids.ts';

/**
 * The file with the secrets of a local deployment, kept from one start to the next: what organisations hand over is
 * encrypted with the key in it.
 */
export function localSecrets(directory: string): string {
  const file = `${directory}/secrets.env`;
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const key = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  writeFileSync(file, `SECRETS_KEY="${key}"\n`, { mode: 0o600 });
  return file;
}
