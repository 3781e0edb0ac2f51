import { describe, expect, it } from 'vitest';
import { byPrecedence, Layer, layerKind, spaceOf } from '../../src/catalog/layers.ts';

describe('layers', () => {
  it.each(['bundled', 'org', 'user:alice', 'user:a.b@c-d_e', 'project:web', 'plugin:x', 'mcp:server'])(
    '%s is one',
    (text) => {
      expect(Layer.safeParse(text).success).toBe(true);
    },
  );

  it.each([
    '',
    'Org',
    'user',
    'user:',
    'user:a/b',
    'user:a b',
    'user:..',
    'team:x',
    'org:x',
    `user:${'a'.repeat(65)}`,
    'user:a\n',
  ])('%o is none', (text) => {
    expect(Layer.safeParse(text).success).toBe(false);
  });

  it('has an order, and keeps the order of a request within one kind', () => {
    const layers = ['plugin:z', 'user:b', 'org', 'user:a', 'mcp:m', 'bundled', 'project:p', 'user:b'];
    expect(byPrecedence(layers)).toEqual([
      'bundled',
      'org',
      'user:b',
      'user:a',
      'project:p',
      'plugin:z',
      'mcp:m',
    ]);
  });

  it('shares nothing but the bundled layer', () => {
    expect(spaceOf('bundled', 'acme')).toBe('bundled');
    expect(spaceOf('org', 'acme')).toBe('o/acme');
    expect(spaceOf('user:bundled', 'acme')).toBe('o/acme');
    expect(layerKind('user:bundled')).toBe('user');
  });
});
