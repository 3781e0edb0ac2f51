import { ulid } from 'ulid';

/** Sortable by time, no secret: the organisation is in every object's name beside it. */
export function newId(prefix: 'run' | 'req' | 'ses'): string {
  return `${prefix}_${ulid().toLowerCase()}`;
}

const BASE64URL_PADDING = /=+$/;

/** Bytes as base64url without padding. */
export function base64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(BASE64URL_PADDING, '');
}
