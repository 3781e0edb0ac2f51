import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uniqueNames } from '../../src/catalog/unique-names.ts';
import { digestOf } from '../../src/core/digest.ts';

const skill = (folder: string, name: string, content = folder) => ({
  folder,
  name,
  revision: digestOf(`${name} ${content}`),
});

describe('uniqueNames', () => {
  it('gives the bare name to the shallowest, then to the first by path', () => {
    const naming = uniqueNames([
      skill('b/skills/review', 'review'),
      skill('a/x/skills/review', 'review'),
      skill('a/skills/review', 'review'),
    ]);
    expect(naming.names.map(({ name, origins }) => [name, origins])).toEqual([
      ['a/x/skills:review', ['a/x/skills/review']],
      ['b/skills:review', ['b/skills/review']],
      ['review', ['a/skills/review']],
    ]);
    expect(naming.clashes.map(({ qualified, winner }) => [qualified, winner])).toEqual([
      ['b/skills:review', 'a/skills/review'],
      ['a/x/skills:review', 'a/skills/review'],
    ]);
  });

  it('tells apart two in one folder, and one at the top', () => {
    const naming = uniqueNames([skill('one', 'same'), skill('two', 'same'), skill('three', 'same')]);
    expect(naming.names.map(({ name }) => name)).toEqual(['same', 'three:same', 'two:same']);
  });

  it('merges equal skills and keeps every origin', () => {
    const naming = uniqueNames([
      skill('a/x', 'x', 'same'),
      skill('b/x', 'x', 'same'),
      skill('c/x', 'x', 'other'),
    ]);
    expect(naming.names.map(({ name, origins }) => [name, origins])).toEqual([
      ['c:x', ['c/x']],
      ['x', ['a/x', 'b/x']],
    ]);
    expect(naming.merged).toEqual([{ folder: 'b/x', name: 'x', into: 'a/x' }]);
  });

  it('does not let a skill that is called like a qualified name hide another', () => {
    const naming = uniqueNames([skill('p/a', 'x'), skill('q/b', 'x'), skill('r', 'q:x')]);
    expect(new Set(naming.names.map(({ name }) => name)).size).toBe(3);
  });

  it('never loses a skill, never gives a name twice, whatever the order', () => {
    const part = fc.constantFrom('a', 'b', 'a\nb', 'skills');
    const found = fc.uniqueArray(
      fc.record({
        folder: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
        name: fc.constantFrom('x', 'y', 'a:x'),
        content: fc.constantFrom('1', '2'),
      }),
      { selector: ({ folder }) => folder, maxLength: 12 },
    );
    fc.assert(
      fc.property(found, (list) => {
        const skills = list.map(({ folder, name, content }) => skill(folder, name, content));
        const naming = uniqueNames(skills);
        expect(new Set(naming.names.map(({ name }) => name)).size).toBe(naming.names.length);
        expect(naming.names.flatMap(({ origins }) => origins).toSorted()).toEqual(
          list.map(({ folder }) => folder).toSorted(),
        );
        expect(naming.names.every(({ name }) => !name.includes('\n'))).toBe(true);
        expect(uniqueNames(skills.toReversed()).names).toEqual(naming.names);
      }),
      { numRuns: 2_000 },
    );
  });

  it('asks the rank before the place', () => {
    const naming = uniqueNames([
      { ...skill('x', 'x'), rank: [0, 1] },
      { ...skill('deep/er/x', 'x'), rank: [0, 0] },
    ]);
    expect(naming.clashes).toEqual([
      { folder: 'x', name: 'x', qualified: 'x:x', winner: 'deep/er/x', winnerName: 'x' },
    ]);
  });

  it('gives a name that fits, however long the path is', () => {
    const long = (letter: string) => `${letter.repeat(700)}/x`;
    const naming = uniqueNames([skill(long('a'), 'x'), skill(long('b'), 'x'), skill(long('c'), 'x')]);
    expect(naming.names.every(({ name }) => name.length < 40)).toBe(true);
    expect(naming.names).toHaveLength(3);
  });

  it('loses nothing and repeats no name with scopes, links and names from anybody', () => {
    const found = fc.uniqueArray(
      fc.record({
        folder: fc
          .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 3 })
          .map((parts) => parts.join('/')),
        name: fc.constantFrom('x', 'X', 'y', 'a:x'),
        content: fc.constantFrom('1', '2'),
        scope: fc.constantFrom(null, 'p', 'p/q'),
        realPath: fc.constantFrom(null, '/1', '/2'),
        untrusted: fc.boolean(),
        rank: fc.tuple(fc.nat(1), fc.nat(1)),
      }),
      { selector: ({ folder }) => folder, maxLength: 10 },
    );
    const fold = (name: string) => name.toLowerCase();
    fc.assert(
      fc.property(found, (list) => {
        const skills = list.map(({ content, ...one }) => ({
          ...one,
          revision: digestOf(`${one.name} ${content}`),
        }));
        const naming = uniqueNames(skills, fold);
        const names = naming.names.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(naming.names.flatMap(({ origins }) => origins).toSorted()).toEqual(
          list.map(({ folder }) => folder).toSorted(),
        );
        expect(uniqueNames(skills.toReversed(), fold).names).toEqual(naming.names);
        // Nothing from anybody stands beside a trusted name that looks like it and comes before it.
        for (const { name, found: one } of naming.names) {
          if (!one.untrusted) continue;
          const before = naming.names.filter(
            ({ name: other, found: rival }) =>
              other !== name && fold(other) === fold(name) && (rival.rank[0] ?? 0) < (one.rank[0] ?? 0),
          );
          expect(before).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
