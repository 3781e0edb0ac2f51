import { describe, expect, test } from 'vitest';
import { noteUnregistered, serversForRun } from '../../../src/invoke/runs/run-servers.ts';

const server = (host: string) => ({ url: `https://${host}/mcp`, headers: {} });
const SERVERS = { tickets: server('a.example'), wiki: server('b.example'), 'wiki-2': server('c.example') };

describe('servers of a run', () => {
  test.each<[string, string[], string[], string[]]>([
    ['nothing declared', ['Bash'], ['mcp__wiki'], []],
    ['nothing granted', ['mcp__wiki'], ['Bash'], []],
    ['a server', ['mcp__wiki'], ['mcp__wiki'], ['wiki']],
    ['a tool of it', ['mcp__wiki__read'], ['mcp__wiki'], ['wiki']],
    ['a tool granted', ['mcp__wiki'], ['mcp__wiki__read'], ['wiki']],
    ['all of it by a wildcard', ['mcp__wiki__*'], ['mcp__*'], ['wiki']],
    ['everything', ['mcp__*'], ['*'], ['tickets', 'wiki', 'wiki-2']],
    ['one that is not registered', ['mcp__other'], ['mcp__other'], []],
  ])('%s', (_, declared, granted, expected) => {
    const servers = serversForRun(SERVERS, { declared, granted, missing: [] });
    expect(Object.keys(servers)).toEqual(expected);
  });

  test('tools of servers that nobody registered are missing', () => {
    const tools = {
      declared: ['Bash', 'mcp__other__read', 'mcp__wiki', 'mcp__constructor', 'mcp__*'],
      granted: ['*'],
      missing: ['Bash'],
    };
    expect(noteUnregistered(tools, SERVERS).missing).toEqual([
      'Bash',
      'mcp__other__read',
      'mcp__constructor',
    ]);
  });
});
