import { SCAN_LIMITS } from '../../core/limits.ts';

/** What a file is by its first bytes, whatever it is called. */
export type Magic = 'program' | 'bytecode' | 'archive' | 'locked-archive' | 'media' | 'binary' | 'text';

const BEGINNINGS: readonly (readonly [string, Magic])[] = [
  ['\u007fELF', 'program'],
  ['MZ', 'program'],
  ['\u00cf\u00fa\u00ed\u00fe', 'program'],
  ['\u00ce\u00fa\u00ed\u00fe', 'program'],
  ['\u00fe\u00ed\u00fa\u00ce', 'program'],
  ['\u00fe\u00ed\u00fa\u00cf', 'program'],
  ['\u00ca\u00fe\u00ba\u00be', 'bytecode'],
  ['\u0000asm', 'bytecode'],
  ['dex\n', 'bytecode'],
  ['PK\u0003\u0004', 'archive'],
  ['\u001f\u008b', 'archive'],
  ['BZh', 'archive'],
  ['\u00fd7zXZ', 'archive'],
  ["7z\u00bc\u00af'\u001c", 'archive'],
  ['Rar!', 'archive'],
  ['(\u00b5/\u00fd', 'archive'],
  ['\u0089PNG', 'media'],
  ['GIF8', 'media'],
  ['\u00ff\u00d8\u00ff', 'media'],
  ['RIFF', 'media'],
  ['%PDF', 'media'],
  ['OTTO', 'media'],
  ['\u0000\u0001\u0000\u0000', 'media'],
  ['wOFF', 'media'],
  ['wOF2', 'media'],
  ['ID3', 'media'],
  ['\u0000\u0000\u0001\u0000', 'media'],
];

/** Most texts begin with none of these bytes, and need not be compared. */
const FIRST_BYTES: ReadonlySet<number> = new Set(BEGINNINGS.map(([beginning]) => beginning.charCodeAt(0)));

/** Offset of the flags of a zip's first file; their lowest bit says that it needs a password. */
const ZIP_FLAGS = 6;

/** The first bytes, one a character. What the web calls latin1 is another alphabet, in which no PNG begins like one. */
export function headOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 16));
}

export function magicOf(bytes: Uint8Array): Magic {
  const isText = !bytes.subarray(0, SCAN_LIMITS.magicBytes).includes(0);
  if (isText && !FIRST_BYTES.has(bytes[0] ?? 0)) return 'text';
  const head = headOf(bytes);
  const [, magic = null] = BEGINNINGS.find(([beginning]) => head.startsWith(beginning)) ?? [];
  // A text may begin with two letters of a program's.
  if (magic === 'program' && head.startsWith('MZ') && isText) return 'text';
  if (magic === 'archive' && head.startsWith('BZh') && isText && !/^BZh[1-9]1AY/.test(head)) return 'text';
  // Python's compiled files begin with a version and a line end.
  // oxlint-disable-next-line no-control-regex -- bytes of a version
  if (magic === null && /^[\s\S]{2}\r\n[\u0000-\u0003]\u0000\u0000\u0000/.test(head)) return 'bytecode';
  if (magic === 'archive' && head.startsWith('PK') && ((bytes[ZIP_FLAGS] ?? 0) & 1) === 1)
    return 'locked-archive';
  return magic ?? (isText || isUtf16(bytes) ? 'text' : 'binary');
}

/** A mark of UTF-16, in either order. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
