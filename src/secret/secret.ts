import { z } from 'zod';
import { SECRET_LIMITS } from '../core/limits.ts';
import type { Result } from '../core/result.ts';

export const SecretName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'a letter, then letters, digits, _ and -, 64 at most');

const Origin = z
  .string()
  .max(SECRET_LIMITS.originCharacters)
  .refine(
    (text) => URL.parse(text)?.origin === text && /^https?:/.test(text),
    'an origin, such as https://api.example.com',
  );

/** What an organisation hands over. It goes into headers, and so is one line of ASCII. */
export const SecretInput = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(SECRET_LIMITS.valueCharacters)
    .regex(/^[\x20-\x7e]*$/, 'one line of ASCII'),
  /** The only origins that it is sent to; null: wherever the settings say. */
  origins: z.array(Origin).min(1).max(SECRET_LIMITS.origins).nullable().default(null),
});
export type SecretInput = z.infer<typeof SecretInput>;

/** What is told of a secret. Its value never is. */
export const SecretInfo = z.strictObject({
  name: SecretName,
  origins: z.array(z.string()).nullable(),
  /** The label of the token that wrote it. */
  updatedBy: z.string(),
  updatedAt: z.iso.datetime(),
});
export type SecretInfo = z.infer<typeof SecretInfo>;

/** The one way back to a value, for who sends it to `origin`. Errors: why not, for the organisation's own people. */
export interface SecretReader {
  read(organisation: string, name: string, origin: string): Promise<Result<string, string>>;
}
