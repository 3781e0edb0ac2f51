import { describe, expect, it } from 'vitest';
import { rot13 } from './fixtures/disguise.ts';
import { HELD_OUT, HELD_OUT_LOOK_ALIKES, HOSTILE, LOOK_ALIKES } from './fixtures/all.ts';

const ALL = [...HOSTILE, ...LOOK_ALIKES, ...HELD_OUT, ...HELD_OUT_LOOK_ALIKES];
/** RFC 2606, 6761 and 5737, and the machine itself. */
const RESERVED =
  /^(?:(?:[\w-]+\.)*(?:example\.(?:com|net|org)|example|invalid|test)|localhost|127\.0\.0\.1|192\.0\.2\.\d+|198\.51\.100\.\d+|203\.0\.113\.\d+)$/;
/** The name of SVG's namespace is an address. */
const NAMESPACES = new Set(['www.w3.org']);

describe('the fixtures', () => {
  it('have ids of their own', () => {
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
  });

  it.each(Object.entries(Object.groupBy(HOSTILE, ({ expected }) => expected.category)))(
    'show %s at least six times',
    (_category, skills) => {
      expect(skills?.length).toBeGreaterThanOrEqual(6);
    },
  );

  it('are as many as is claimed', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(140);
    expect(LOOK_ALIKES.length).toBeGreaterThanOrEqual(60);
    expect(HELD_OUT.length).toBeGreaterThanOrEqual(40);
  });

  it.each(ALL.map(({ id, files }) => [id, files] as const))('%s names reserved hosts only', (_id, files) => {
    const hosts = Object.values(files)
      .filter((content) => typeof content === 'string')
      .flatMap((content) => [...content.matchAll(/\b[a-z+]+:\/\/(?:[^\s/@]*@)?([\w.-]+)/g)])
      .map((match) => match[1] ?? '');
    expect(
      hosts.filter(
        (host) => ![host, rot13(host)].some((name) => RESERVED.test(name) || NAMESPACES.has(name)),
      ),
    ).toEqual([]);
  });
});
