import { canonicalJson } from '../core/canonical-json.ts';
import { SECRET_LIMITS } from '../core/limits.ts';

/** What a sealed value belongs to. Moved to another place, it does not open. */
export interface SealContext {
  readonly organisation: string;
  readonly name: string;
  readonly origins: readonly string[] | null;
}

const NONCE_BYTES = 12;
const PURPOSE = 'skilledge secrets 1';
const UTF8 = new TextEncoder();

/**
 * AES-256-GCM under a key derived from the deployment's `SECRETS_KEY`. That holds one text of random characters, or
 * several with commas between them while keys are changed: the first one seals, all of them open.
 */
export class Seal {
  readonly #keys: readonly Promise<CryptoKey>[];

  private constructor(texts: readonly string[]) {
    this.#keys = texts.map(derive);
  }

  /** Null where there is no key, or one that is too short to be random. */
  static of(secretsKey: string | null): Seal | null {
    const texts = (secretsKey ?? '').split(',').map((text) => text.trim());
    return texts.every((text) => text.length >= SECRET_LIMITS.keyCharacters) ? new Seal(texts) : null;
  }

  /** A nonce, and behind it what was encrypted with its tag. */
  async close(value: string, context: SealContext): Promise<Uint8Array> {
    const [key] = this.#keys;
    if (key === undefined) throw new RangeError('a seal without keys');
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const sealed = await crypto.subtle.encrypt(algorithm(nonce, context), await key, UTF8.encode(value));
    const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
    bytes.set(nonce);
    bytes.set(new Uint8Array(sealed), NONCE_BYTES);
    return bytes;
  }

  /** Null for what was sealed with another key, or for something else, or was changed since. */
  async open(bytes: Uint8Array, context: SealContext): Promise<string | null> {
    const nonce = bytes.slice(0, NONCE_BYTES);
    for (const key of this.#keys) {
      try {
        const sealed = bytes.slice(NONCE_BYTES);
        return new TextDecoder().decode(
          await crypto.subtle.decrypt(algorithm(nonce, context), await key, sealed),
        );
      } catch {
        // Perhaps of the next key.
      }
    }
    return null;
  }
}

function algorithm(nonce: Uint8Array<ArrayBuffer>, { organisation, name, origins }: SealContext) {
  const additionalData = UTF8.encode(canonicalJson([organisation, name, origins]));
  return { name: 'AES-GCM', iv: nonce, additionalData };
}

async function derive(text: string): Promise<CryptoKey> {
  const source = await crypto.subtle.importKey('raw', UTF8.encode(text), 'HKDF', false, ['deriveKey']);
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: UTF8.encode(PURPOSE) };
  return crypto.subtle.deriveKey(parameters, source, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
}
