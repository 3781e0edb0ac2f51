import { describe, expect, it } from 'vitest';
import { mcpPromptsLayout } from '../../src/compile/layouts/mcp-prompts.ts';
import { pluginLayout } from '../../src/compile/layouts/plugin.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const post = async (path: string, token: string, body: unknown): Promise<Record<string, unknown>> =>
  (await call('POST', path, { token, body, headers: { Prefer: 'wait=20' } })).json();

describe('a skill of a plugin', () => {
  const manifest = {
    name: 'deck',
    userConfig: {
      theme: { type: 'string', title: 'Theme', default: 'plain' },
      key: { type: 'string', title: 'Key' },
    },
  };
  const tree = treeOf({
    '.claude-plugin/plugin.json': JSON.stringify(manifest),
    'skills/show/SKILL.md': skillText(
      'show',
      '',
      '${CLAUDE_PLUGIN_ROOT} ${CLAUDE_PLUGIN_DATA} ${user_config.theme} ${user_config.key} ${user_config.other}\n',
    ),
  });

  it('has what its host knows of the plugin filled in, and the rest left as it is', async () => {
    const token = await tokenFor(newOrganisation());
    await push(token, 'plugin:deck', tree, { layout: pluginLayout({ builtin: false }) });
    const body = async (plugin?: unknown) => {
      const answer = await post('/v1/invoke?scope=plugin:deck', token, { skill: 'deck:show', plugin });
      return JSON.stringify(answer['messages']);
    };
    expect(await body()).toContain(
      '${CLAUDE_PLUGIN_ROOT} ${CLAUDE_PLUGIN_DATA} plain ${user_config.key} ${user_config.other}',
    );
    expect(
      await body({
        root: '/p',
        data: '/d',
        config: { theme: '$0 ${CLAUDE_PLUGIN_DATA}', key: 7, other: 'x' },
      }),
    ).toContain('/p /d $0 ${CLAUDE_PLUGIN_DATA} 7 ${user_config.other}');
  });
});

describe('hooks', () => {
  it.each([
    ['trusted', { value: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] }, lasts: 'session' }],
    ['community', null],
  ] as const)('of a skill are for the host only where it is no stranger’s: %s', async (trust, hooks) => {
    const token = await tokenFor(newOrganisation());
    const text = skillText('deck', 'hooks: {Stop: [{hooks: [{type: command, command: x}]}]}\n');
    await push(token, 'plugin:deck', treeOf({ 'deck/SKILL.md': text }), { trust });
    const path = '/v1/invoke?scope=plugin:deck';
    const { approvalId } = await post(path, token, { skill: 'deck' });
    await post(`/v1/approvals/${String(approvalId)}`, token, { action: 'approve' });
    expect(await post(path, token, { skill: 'deck', approvalId })).toMatchObject({
      status: 'inline',
      contextModifier: { hooks },
    });
  });
});

describe('a prompt of an MCP server', () => {
  it('is used as text, and no shell ever runs for it', async () => {
    const token = await tokenFor(newOrganisation());
    const text = 'Do this.\n\n```bash\necho ran > proof\n```\n';
    const prompts = [
      { name: 'help', description: 'Helps.', messages: [{ role: 'user', content: { type: 'text', text } }] },
    ];
    const tree = treeOf({ 'server.json': JSON.stringify({ server: 'desk', prompts }) });
    const { response } = await push(token, 'mcp:desk', tree, { layout: mcpPromptsLayout });
    expect(response.status).toBe(200);
    const call = { skill: 'mcp__desk__help' };
    expect(await post('/v1/invoke?scope=mcp:desk', token, call)).toMatchObject({ status: 'inline' });
    expect(await post('/v1/runs?scope=mcp:desk', token, { ...call, grants: ['Bash'] })).toMatchObject({
      status: 'failed',
      stopReason: 'no_steps',
      tools: { declared: [], missing: [] },
      files: [],
    });
  });
});
