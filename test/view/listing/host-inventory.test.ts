import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Requirement, RequirementKind } from '../../../src/catalog/requirement.ts';
import { HostInventory, inventoryOf, missingRequirements } from '../../../src/view/listing/host-inventory.ts';

const need = (kind: RequirementKind, ...oneOf: string[]): Requirement => ({ kind, oneOf });
const gh = need('bins', 'gh');
const fetcher = need('bins', 'curl', 'wget');
const token = need('env', 'TOKEN');
const pdf = need('skills', 'pdf');

describe('what is missing', () => {
  it.each<[string, Requirement[], HostInventory, string[] | null, Requirement[]]>([
    ['nothing of what is there', [gh, token], { bins: ['gh'], env: ['TOKEN'] }, [], []],
    ['what is not there', [gh, token], { bins: ['git'], env: [] }, [], [gh, token]],
    ['nothing of a kind that the host does not speak of', [gh, token], { env: ['TOKEN'] }, [], []],
    ['all of a kind that the host has nothing of', [gh, fetcher], { bins: [] }, [], [gh, fetcher]],
    ['nothing where one of a group is there', [fetcher], { bins: ['wget'] }, [], []],
    ['a group of which none is there', [fetcher, gh], { bins: ['gh'] }, [], [fetcher]],
    ['no variable in another case', [token], { env: ['token'] }, [], [token]],
    ['no name of another kind', [gh], { bins: [], tools: ['gh'] }, [], [gh]],
    ['a skill that cannot be found', [pdf], {}, ['csv'], [pdf]],
    ['no skill that can be found', [pdf], {}, ['pdf'], []],
    ['no skill that the host has', [pdf], { skills: ['pdf'] }, [], []],
    ['no skill where nobody knows all of them', [pdf], { skills: [] }, null, []],
    [
      'no property of an object',
      [need('env', '__proto__')],
      { env: ['constructor'] },
      [],
      [need('env', '__proto__')],
    ],
  ])('is %s', (_, requirements, has, skills, expected) => {
    const inventory = inventoryOf(has, skills && new Set(skills));
    expect(missingRequirements(requirements, inventory)).toEqual(expected);
  });

  it('is nothing where nothing is needed', () => {
    expect(missingRequirements(undefined, inventoryOf({ bins: [] }, new Set()))).toEqual([]);
  });

  const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
  const inventories: fc.Arbitrary<HostInventory> = fc.record(
    { bins: names, env: names, tools: names, mcpServers: names, config: names, skills: names },
    { requiredKeys: [] },
  );
  const requirements = fc.array(
    fc.record({
      kind: fc.constantFrom(...RequirementKind.options),
      oneOf: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 6 },
  );

  it('shrinks as a host has more, and is a part of what is needed in its order', () => {
    fc.assert(
      fc.property(requirements, inventories, inventories, (needed, has, more) => {
        const both = Object.fromEntries(
          RequirementKind.options.flatMap((kind) =>
            has[kind] === undefined ? [] : [[kind, [...has[kind], ...(more[kind] ?? [])]]],
          ),
        );
        const before = missingRequirements(needed, inventoryOf(has, new Set()));
        const after = missingRequirements(needed, inventoryOf(both, new Set()));
        expect(needed.filter((each) => before.includes(each))).toEqual(before);
        expect(before.filter((each) => after.includes(each))).toEqual(after);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what a host says', () => {
  it.each<[string, unknown, boolean]>([
    ['kinds with names', { bins: ['gh'], env: [], mcpServers: ['github'] }, true],
    ['nothing', {}, true],
    ['a kind that there is not', { binaries: ['gh'] }, false],
    ['values', { env: { TOKEN: 'secret' } }, false],
    ['an empty name', { env: [''] }, false],
    ['a name that is too long', { env: ['x'.repeat(129)] }, false],
    ['3,000 programs', { bins: Array.from({ length: 3_000 }, (_, at) => `bin-${at}`) }, true],
    ['more than there is room for', { bins: Array.from({ length: 16_385 }, () => 'x') }, false],
  ])('can be %s', (_, has, good) => {
    expect(HostInventory.safeParse(has).success).toBe(good);
  });
});
