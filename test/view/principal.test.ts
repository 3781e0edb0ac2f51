import { describe, expect, it } from 'vitest';
import { requestedLayers } from '../../src/view/principal.ts';
import { newToken, parseToken } from '../../src/view/token.ts';

describe('requestedLayers', () => {
  it.each<[string | undefined, readonly string[] | null, readonly string[]]>([
    [undefined, null, ['bundled', 'org']],
    ['', null, ['bundled', 'org']],
    ['user:alice', null, ['bundled', 'org', 'user:alice']],
    [' user:alice , project:web,', null, ['bundled', 'org', 'user:alice', 'project:web']],
    ['org,bundled', null, ['bundled', 'org']],
    [undefined, ['user:alice'], ['bundled', 'org', 'user:alice']],
    ['user:alice', ['user:alice', 'project:web'], ['bundled', 'org', 'user:alice']],
    ['org', ['user:alice'], ['bundled', 'org']],
  ])('%j of a token bound to %j', (scope, layers, expected) => {
    expect(requestedLayers({ layers: layers === null ? null : [...layers] }, scope)).toEqual({
      ok: true,
      value: expected,
    });
  });

  it.each<[string, readonly string[] | null, string]>([
    ['user:bob', ['user:alice'], 'forbidden'],
    ['user:bob', [], 'forbidden'],
    ['team:x', null, 'scope_invalid'],
    ['user:../x', null, 'scope_invalid'],
  ])('%j of a token bound to %j is refused', (scope, layers, code) => {
    expect(requestedLayers({ layers: layers === null ? null : [...layers] }, scope)).toMatchObject({
      error: { code },
    });
  });
});

describe('token texts', () => {
  it.each([false, true])(
    'say their organisation and whether they are for development (%s)',
    (development) => {
      const { text, hash } = newToken('acme-2', { development });
      expect(parseToken(text)).toEqual({ organisation: 'acme-2', development, hash });
      expect(text).toMatch(development ? /^ske-dev_acme-2_[\w-]{43}$/ : /^ske_acme-2_[\w-]{43}$/);
    },
  );

  it.each([
    '',
    'ske_',
    'ske_a_b',
    `ske_A_${'a'.repeat(43)}`,
    `ske__${'a'.repeat(43)}`,
    `ske_-a_${'a'.repeat(43)}`,
    `ske_a/b_${'a'.repeat(43)}`,
    `ske_a_${'a'.repeat(44)}`,
    `x ske_a_${'a'.repeat(43)}`,
  ])('%j is none', (text) => {
    expect(parseToken(text)).toBeNull();
  });

  it('are never the same twice', () => {
    expect(newToken('a', { development: false }).text).not.toBe(newToken('a', { development: false }).text);
  });
});
