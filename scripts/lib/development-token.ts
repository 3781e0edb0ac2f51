import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Digest } from '../../src/core/digest.ts';
import { newToken, parseToken } from '../../src/view/token.ts';

/** Everything of the local server: its token, its state, its bundle. */
export const LOCAL_DIRECTORY = '.dev';
export const TOKEN_FILE = `${LOCAL_DIRECTORY}/token`;

/** The token of the local server, kept from one start to the next. Only the deployment that `npm start` makes takes it. */
export function developmentToken(file: string = TOKEN_FILE): { text: string; hash: Digest } {
  const known = readToken(file);
  const parsed = known === null ? null : parseToken(known);
  if (known !== null && parsed?.development) return { text: known, hash: parsed.hash };
  const token = newToken('dev', { development: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, token.text, { mode: 0o600 });
  return token;
}

export function readToken(file: string = TOKEN_FILE): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
