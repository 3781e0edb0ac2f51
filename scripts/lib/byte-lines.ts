const LINE_BREAK = 0x0a;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Lines of UTF-8, as they are: only `\n` ends one, nothing is repaired, and of a longer one than `limit` bytes only the
 * beginning is kept. Null for a line that is not UTF-8, and for an end without a line break.
 */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<string | null> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (bytes: Uint8Array): void => {
    if (size <= limit) parts.push(bytes);
    size += bytes.length;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, start)) {
      keep(chunk.subarray(start, end));
      yield decoded(parts);
      [parts, size] = [[], 0];
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield null;
}

function decoded(parts: readonly Uint8Array[]): string | null {
  try {
    return UTF8.decode(Buffer.concat(parts));
  } catch {
    return null;
  }
}
