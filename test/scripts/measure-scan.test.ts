import { expect, it } from 'vitest';
import { generateSkill, USUAL_SHAPE } from '../../scripts/bench/generate-skills.ts';
import { measureScan } from '../../scripts/lib/scan/measure-scan.ts';

/** Twice the budget: what others do on the machine is seen even in processor time. */
const MOST = 4;
const ROUNDS = 5;

it('scanning generated skills costs no more than parsing and hashing them', () => {
  const skills = Array.from({ length: 300 }, (_, index) =>
    generateSkill(index, USUAL_SHAPE).files.map(({ path, text }) => ({
      path,
      bytes: new TextEncoder().encode(text),
      executable: false,
    })),
  );
  measureScan(skills);
  const ratios = Array.from({ length: ROUNDS }, () => {
    const { parsing, hashing, scanning } = measureScan(skills);
    return scanning / (parsing + hashing);
  });
  expect(Math.min(...ratios)).toBeLessThan(MOST);
});
