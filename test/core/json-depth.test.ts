import { describe, expect, it } from 'vitest';
import { nestsDeeper } from '../../src/core/json-depth.ts';

describe('nestsDeeper', () => {
  it.each([
    [0, '7', false],
    [0, '[]', true],
    [1, '[]', false],
    [1, '{"a":1,"b":{}}', true],
    [2, '{"a":1,"b":{}}', false],
    [2, '[[],[[]]]', true],
    [128, `${'['.repeat(128)}${']'.repeat(128)}`, false],
    [128, `${'[1,'.repeat(129)}2${']'.repeat(129)}`, true],
    [128, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, true],
  ])('%d: %s', (levels, text, deeper) => {
    expect(nestsDeeper(JSON.parse(text), levels)).toBe(deeper);
  });
});
