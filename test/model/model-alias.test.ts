import { describe, expect, it } from 'vitest';
import { resolveModel } from '../../src/model/model-alias.ts';

const ALIASES = { opus: 'claude-opus-9', long: 'claude-long-1[1m]' };

describe('resolveModel', () => {
  it.each([
    ['opus', 'claude-opus-9'],
    ['Opus', 'claude-opus-9'],
    ['opus[1m]', 'claude-opus-9[1m]'],
    ['opus[1M]', 'claude-opus-9[1M]'],
    ['long[1m]', 'claude-long-1[1m]'],
    ['long', 'claude-long-1[1m]'],
    ['sonnet[1m]', 'sonnet[1m]'],
    ['constructor', 'constructor'],
    ['[1m]', '[1m]'],
  ])('%s: %s', (model, expected) => {
    expect(resolveModel(model, ALIASES)).toBe(expected);
  });
});
