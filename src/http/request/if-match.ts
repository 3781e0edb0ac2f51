import { fail, ok, type Result } from '../../core/result.ts';
import type { AppContext } from '../context.ts';

/** The revision that a change was made from, out of `If-Match`; null where the header is not there. */
export function expectedRevision(context: AppContext): Result<number | null> {
  const header = context.req.header('If-Match');
  if (header === undefined) return ok(null);
  const revision = /^(?:W\/)?"(\d{1,15})"$/.exec(header)?.[1];
  if (revision !== undefined) return ok(Number(revision));
  return fail({
    code: 'settings_conflict',
    detail: 'If-Match is no ETag of what is to be changed',
    hint: 'Send the ETag that GET gave.',
  });
}
