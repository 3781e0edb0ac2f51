import type { AppContext } from '../context.ts';

/** Routes of files are `/v1/COLLECTION/ID/files/PATH`. */
const BEFORE = '/v1/COLLECTION/ID/files/'.split('/').length - 1;

/**
 * What stands after `/files/`, percent-decoded once, or text that is no file's path where that is not possible. It is only
 * ever compared with the paths of a revision.
 */
export function filePath(context: AppContext): string {
  const { pathname } = new URL(context.req.url);
  try {
    return decodeURIComponent(pathname.split('/').slice(BEFORE).join('/'));
  } catch {
    return '';
  }
}
