import * as fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { isTouched, touchedPaths } from '../../src/listing/touched-paths.ts';

const matches = (paths: readonly string[], touched: string, scope: string | null = null) =>
  isTouched({ scope, paths }, touchedPaths([touched]));

describe('patterns of paths', () => {
  it.each([
    [['src'], 'src/a.ts', true],
    [['src'], 'pkg/src/a.ts', true],
    [['/src'], 'src/a.ts', true],
    [['/src'], 'pkg/src/a.ts', false],
    [['src/*.ts'], 'src/a.ts', true],
    [['src/*.ts'], 'src/b/a.ts', false],
    [['*.ts'], 'a.ts', true],
    [['*.ts'], 'any/depth/a.ts', true],
    [['src/**/*.ts'], 'src/a.ts', true],
    [['src/**/*.ts'], 'src/b/c/a.ts', true],
    [['src/*.ts', '!src/x.ts'], 'src/x.ts', false],
    [['src/*.ts', '!src/x.ts'], 'src/y.ts', true],
    [['!src/x.ts', 'src/*.ts'], 'src/x.ts', true],
    [['src/\u00e9*.ts'], 'src/e\u0301t\u00e9.ts', true],
    [['src/e\u0301*.ts'], 'src/\u00e9t\u00e9.ts', true],
    [['src/'], 'src', false],
    [['src/'], 'src/a', true],
    [['SRC/*.TS'], 'src/a.ts', false],
    [['#x'], '#x', false],
    [['\\#x'], '#x', true],
    [['\\!x'], '!x', true],
    [['{a,b}.ts'], 'a.ts', false],
    [['a/**'], 'a', false],
    [['a/**'], 'a/b', true],
    [['**/b'], 'b', true],
    [['a/**/b'], 'a/b', true],
    [['a**b'], 'axxb', true],
    [['***/b'], 'a/a/b', true],
    [['a?c'], 'abc', true],
    [['a?c'], 'a/c', false],
    [['[a-c].ts'], 'b.ts', true],
    [['[!a-c].ts'], 'b.ts', false],
    [['[]].ts'], '].ts', true],
    [['a '], 'a', true],
    [['a\\ '], 'a ', true],
    [['a\\'], 'a', false],
    [['['], '[', true],
    [[''], 'a', false],
    [['/'], 'a', false],
    [['**'], 'a', true],
    [['日*.ts'], '日本.ts', true],
    [['?'], '😀', true],
    [[], 'a', false],
  ])('%j takes in %s: %s', (patterns, path, expected) => {
    expect(matches(patterns, path)).toBe(expected);
  });

  it.each(['../x', '/x', './x', 'a/../x', 'a//x', '', '.', 'a/.'])('take nothing in for %j', (path) => {
    expect(matches(['**', '*', 'x'], path)).toBe(false);
  });

  it('agree with the package `ignore`, in its case-sensitive mode', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', '**', '[ab]', '[!a]');
    const segment = fc.string({ unit: piece, minLength: 1, maxLength: 3 });
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '!', '/', '**/'),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '', '/', '/**'),
      )
      .map(([before, segments, after]) => before + segments.join('/') + after);
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 2 });
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), path, (patterns, touched) => {
        const peer = ignore({ ignorecase: false }).add(patterns);
        expect(matches(patterns, touched)).toBe(peer.ignores(touched));
      }),
      { numRuns: 5_000 },
    );
  });

  it('take time in proportion to their length', () => {
    const hostile = [`${'*a'.repeat(500)}b`, `${'**/a*/'.repeat(150)}b`, `${'**/'.repeat(300)}x`];
    const touched = touchedPaths(['a'.repeat(500), Array.from({ length: 250 }, () => 'a').join('/')]);
    const started = performance.now();
    for (const pattern of hostile) expect(isTouched({ scope: null, paths: [pattern] }, touched)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('a scope', () => {
  it.each([
    ['web/app', [], 'web/app/x.ts', true],
    ['web/app', [], 'web/app', false],
    ['web/app', [], 'web/application/x.ts', false],
    ['web', ['/src'], 'web/src/x.ts', true],
    ['web', ['/src'], 'src/x.ts', false],
  ])('%s with %j and %s: %s', (scope, patterns, path, expected) => {
    expect(matches(patterns, path, scope)).toBe(expected);
  });
});
