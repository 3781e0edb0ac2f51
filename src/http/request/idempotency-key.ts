import { SESSION_LIMITS } from '../../core/limits.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { AppContext } from '../context.ts';

/** By what a caller makes repeats of a request one; null where it does not. */
export function idempotencyKey(context: AppContext): Result<string | null> {
  const key = context.req.header('Idempotency-Key') ?? null;
  if (key === null || (key !== '' && key.length <= SESSION_LIMITS.idempotencyKeyCharacters)) return ok(key);
  return fail({
    code: 'bad_request',
    at: 'Idempotency-Key',
    detail: `Idempotency-Key has no or more than ${SESSION_LIMITS.idempotencyKeyCharacters} characters`,
    hint: 'A UUID will do.',
  });
}
