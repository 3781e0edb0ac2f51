import { privateHeaders } from './context.ts';

/**
 * Files of skills and runs are other people's: Markdown and text are shown as text, everything else is a download, and nothing
 * can run in this origin or load anything from it.
 */
export function fileHeaders(path: string, text: boolean, entityTag: string): Record<string, string> {
  const type = text
    ? path.endsWith('.md')
      ? 'text/markdown; charset=utf-8'
      : 'text/plain; charset=utf-8'
    : 'application/octet-stream';
  return {
    ...privateHeaders(entityTag, type),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...(text ? {} : { 'Content-Disposition': 'attachment' }),
  };
}
