import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MCP_LIMITS } from '../../src/core/limits.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const URL = 'https://mcp.example.org/mcp';
let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
});

const put = async (mcpServers: unknown) => call('PUT', '/v1/settings', { token, body: { mcpServers } });

describe('the setting mcpServers', () => {
  it('is kept as it was written, secrets by their names', async () => {
    const headers = { Authorization: { secret: 'tickets', prefix: 'Bearer ' }, 'X-Team': 'web' };
    const mcpServers = { tickets: { url: URL, headers }, 'wiki-2': { url: URL, headers: {} } };
    expect((await put(mcpServers)).status).toBe(200);
    expect(await (await call('GET', '/v1/settings', { token })).json()).toMatchObject({ mcpServers });
  });

  const named = (name: string) => ({ [name]: { url: URL } });
  const withUrl = (url: string) => ({ a: { url } });
  const withHeader = (name: string, value: unknown = 'x') => ({
    a: { url: URL, headers: { [name]: value } },
  });
  it.each<[string, unknown]>([
    ['an underscore in a name', named('a_b')],
    ['an empty name', named('')],
    ['a long name', named('a'.repeat(41))],
    ['http', withUrl('http://mcp.example.org/mcp')],
    ['a private address', withUrl('https://10.0.0.1/mcp')],
    ['the address of metadata', withUrl('https://169.254.169.254/')],
    ['a private name', withUrl('https://mcp.internal/')],
    ['credentials in a URL', withUrl('https://user:secret@mcp.example.org/')],
    ['no URL', withUrl('mcp')],
    ['a header of the transport', withHeader('Host')],
    ['a header of the protocol', withHeader('Mcp-Session-Id')],
    ['a header of the platform', withHeader('CF-Connecting-IP')],
    ['a header in two lines', withHeader('X-A', 'a\r\nX-B: b')],
    ['a header with a space', withHeader('X A')],
    ['a secret without a name', withHeader('X-A', { secret: '' })],
    [
      'too many servers',
      Object.fromEntries(Array.from({ length: MCP_LIMITS.servers + 1 }, (_, at) => [`s${at}`, { url: URL }])),
    ],
  ])('does not take %s', async (_, mcpServers) => {
    const response = await put(mcpServers);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad_request' }]);
  });

  it('gives runs what they declare and are granted, and names the servers that are not there', async () => {
    // Nobody keeps this secret, so that nothing is asked of the server.
    const tickets = { url: URL, headers: { 'X-Key': { secret: 'none' } } };
    const declared = 'allowed-tools: Bash mcp__tickets__search mcp__wiki\n';
    await push(
      token,
      'org',
      treeOf({ 'ask/SKILL.md': skillText('ask', declared, '```bash\necho x\n```\n') }),
    );
    await call('PUT', '/v1/settings', {
      token,
      body: { mcpServers: { tickets }, permissions: { allow: ['Skill(ask)'] } },
    });
    const grants = ['Bash', 'mcp__tickets', 'mcp__wiki'];
    const response = await call('POST', '/v1/runs', { token, body: { skill: 'ask', grants } });
    const run = z.object({ tools: z.object({ missing: z.array(z.string()) }) }).parse(await response.json());
    expect(run.tools.missing).toEqual(['mcp__wiki']);
  });
});
