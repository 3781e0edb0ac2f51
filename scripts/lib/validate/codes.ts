import { type DiagnosticCode, DIAGNOSTICS } from '../../../src/format/diagnostic.ts';

/** The codes that are keys of a record, in its order. */
export function codesOf(record: Readonly<Record<string, unknown>>): DiagnosticCode[] {
  return Object.keys(record).filter((key): key is DiagnosticCode => Object.hasOwn(DIAGNOSTICS, key));
}
