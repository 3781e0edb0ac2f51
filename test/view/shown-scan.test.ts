import { expect, it } from 'vitest';
import { shownScan } from '../../src/view/shown-scan.ts';

it('shows findings to people, and to agents the verdict alone', () => {
  const scan = { rules: 1, verdict: 'dangerous' as const, findings: [], complete: true };
  expect(shownScan(scan, 'person')).toMatchObject({ verdict: 'dangerous', findings: [] });
  expect(shownScan(scan, 'agent')).toEqual({
    rules: 1,
    verdict: 'dangerous',
    complete: true,
    note: 'A scan is evidence, not a verdict of trust.',
  });
});
