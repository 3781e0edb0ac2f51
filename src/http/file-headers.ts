import { privateHeaders } from './context.ts';

/**
 * A skill's files are other people's: Markdown and text are shown as text, everything else is a download, and nothing
 * can run in this origin or load anything from it.
 */
export function fileHeaders(path: string, bytes: Uint8Array, entityTag: string): Record<string, string> {
  const text = isText(bytes);
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

function isText(bytes: Uint8Array): boolean {
  if (bytes.subarray(0, 8192).includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
