import { fail, ok, type Result } from '../../core/result.ts';
import type { AppContext } from '../context.ts';

/** The query parameter `limit`: how many of something one answer may have. */
export function readLimit(context: AppContext, usual: number, most: number): Result<number> {
  const limit = Number(context.req.query('limit') ?? usual);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return ok(limit);
  return fail({
    code: 'bad_request',
    at: 'limit',
    detail: `limit is not a whole number from 1 to ${most}`,
    hint: `Leave it out for ${usual}.`,
  });
}
