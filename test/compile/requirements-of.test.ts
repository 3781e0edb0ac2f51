import { describe, expect, it } from 'vitest';
import { requirementsOf } from '../../src/compile/requirements-of.ts';
import type { Requires } from '../../src/format/requires/requires.ts';

const NOTHING: Requires = {
  env: [],
  bins: { all: [], any: [] },
  tools: [],
  mcpServers: [],
  config: [],
  platforms: [],
  skills: [],
};
const env = (name: string, optional = false) => ({ name, description: null, optional });

describe('the requirements of a row', () => {
  it.each<[string, Partial<Requires>, unknown[]]>([
    [
      'programs, all of them',
      { bins: { all: ['gh', 'git'], any: [] } },
      [
        ['bins', 'gh'],
        ['bins', 'git'],
      ],
    ],
    [
      'programs, one of a group',
      { bins: { all: ['gh'], any: [['curl', 'wget', 'curl']] } },
      [
        ['bins', 'gh'],
        ['bins', 'curl', 'wget'],
      ],
    ],
    ['variables, and no optional one', { env: [env('A'), env('B', true)] }, [['env', 'A']]],
    ['no platforms, which have a place of their own', { platforms: ['macos'] }, []],
    [
      'everything else by its name',
      {
        tools: ['Bash'],
        mcpServers: [{ name: 'm', description: 'd', transport: null, url: 'u', command: null }],
        config: ['a.b'],
        skills: ['pdf'],
      },
      [
        ['tools', 'Bash'],
        ['mcpServers', 'm'],
        ['config', 'a.b'],
        ['skills', 'pdf'],
      ],
    ],
    [
      'none with a name that no row can have',
      { tools: ['x'.repeat(129), 'a\u0007b', 'ok'] },
      [['tools', 'ok']],
    ],
    [
      'no group with more names than a row can have',
      { bins: { all: [], any: [Array.from({ length: 17 }, (_, at) => `bin-${at}`)] } },
      [],
    ],
  ])('are %s', (_, requires, expected) => {
    const found = requirementsOf({ ...NOTHING, ...requires });
    expect(found.map(({ kind, oneOf }) => [kind, ...oneOf])).toEqual(expected);
  });

  it('are as many as fit', () => {
    const tools = Array.from({ length: 200 }, (_, at) => `tool-${at}`);
    expect(requirementsOf({ ...NOTHING, tools })).toHaveLength(32);
    const long = Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(100, 'x'));
    expect(requirementsOf({ ...NOTHING, tools: long })).toHaveLength(10);
    expect(requirementsOf(null)).toEqual([]);
  });
});
