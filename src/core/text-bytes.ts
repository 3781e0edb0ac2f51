/** The text of some bytes, or null where they are none: a NUL near the beginning, or not UTF-8. A BOM is part of the text. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8192).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function isText(bytes: Uint8Array): boolean {
  return textOf(bytes) !== null;
}
