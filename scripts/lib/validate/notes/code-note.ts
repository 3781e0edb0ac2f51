import type { DiagnosticCode } from '../../../../src/format/diagnostic.ts';

/** What the page of all codes says about one, beside its severity and its hint. */
export type CodeNote = Example | Unshown;

/** The folder `test/fixtures/broken/CODE` has the fault, and nothing else is said about it. */
interface Example {
  /** One sentence. */
  readonly means: string;
  /** `path:line:column` in that folder, or without the column where the remark has none. */
  readonly at: string;
  /** What cannot but be said as well. */
  readonly also?: readonly DiagnosticCode[];
}

/** A fault that no file of the sample can have. */
interface Unshown {
  readonly means: string;
  /** Why not. */
  readonly noExample: string;
  /** The test that makes the fault, where it is not `test/scripts/validate-disk.test.ts`. */
  readonly testedIn?: string;
}

/** Notes on some of the codes; a key that is no code does not compile. */
export type CodeNotes = { readonly [Code in DiagnosticCode]?: CodeNote };
