import { expect, it } from 'vitest';
import { generateSkill, USUAL_SHAPE } from '../../scripts/bench/generate-skills.ts';
import { measureScan } from '../../scripts/lib/scan/measure-scan.ts';

/** Several times what it costs, so that only a rule or a search that went wrong is over it. */
const MOST = 15;

it('scanning costs a few times what parsing and hashing cost', () => {
  const skills = Array.from({ length: 300 }, (_, index) =>
    generateSkill(index, USUAL_SHAPE).files.map(({ path, text }) => ({
      path,
      bytes: new TextEncoder().encode(text),
      executable: false,
    })),
  );
  measureScan(skills);
  const { parsing, hashing, scanning } = measureScan(skills);
  expect(scanning / (parsing + hashing)).toBeLessThan(MOST);
});
