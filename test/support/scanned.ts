import type { Verdict } from '../../src/scan/finding.ts';

/** Bodies of skills that a scan judges so. */
export const BODIES: Readonly<Record<Verdict, string>> = {
  safe: 'Read the file, then say what is in it.\n',
  caution: 'CAUTION\n',
  dangerous: 'DANGER\n',
};
