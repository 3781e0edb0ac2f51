import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../src/format/parse-skill.ts';
import { permissionsOf } from '../../src/publish/permissions.ts';

const NOTHING = { tools: [], hooks: [], shell: false, network: false, requires: null };
const hook = (action: string) => `hooks:\n  Stop:\n    - hooks:\n        - ${action}`;

describe('the permissions of a skill', () => {
  it.each<[string, string, string, object]>([
    ['nothing', '', 'Read it.', {}],
    ['a tool', 'allowed-tools: Read', '', { tools: ['Read'] }],
    ['a shell', 'allowed-tools: Bash(git diff:*)', '', { tools: ['Bash(git diff:*)'], shell: true }],
    ['a shell in another case', 'allowed-tools: bash', '', { tools: ['bash'], shell: true }],
    ['the network', 'allowed-tools: WebFetch(domain:example.org)', '', { network: true }],
    ['a command in its text', '', 'Now: !`date`', { shell: true }],
    ['a block of commands', '', '```!\ndate\n```', { shell: true }],
    ['a hook that runs', hook('{type: command, command: ls}'), '', { hooks: ['Stop command'], shell: true }],
    [
      'a hook that calls',
      hook('{type: http, url: "https://example.org/"}'),
      '',
      { hooks: ['Stop http'], network: true },
    ],
    ['a hook that asks', hook('{type: prompt, prompt: Why?}'), '', { hooks: ['Stop prompt'] }],
  ])('are %s', (_what, frontmatter, body, expected) => {
    const text = `---\nname: one\ndescription: One.\n${frontmatter}\n---\n${body}\n`;
    const { skill } = parseSkill(new TextEncoder().encode(text), 'one', 'SKILL.md');
    const permissions = skill && permissionsOf(skill.fields, skill.body);
    expect(permissions).toMatchObject({
      ...NOTHING,
      ...('tools' in expected ? {} : { tools: expect.any(Array) }),
      ...expected,
    });
  });

  it('name what it needs of its host', () => {
    const text = '---\nname: one\ndescription: One.\nrequires: {bins: [gh]}\n---\nOne.\n';
    const { skill } = parseSkill(new TextEncoder().encode(text), 'one', 'SKILL.md');
    expect(skill && permissionsOf(skill.fields, skill.body).requires).toMatchObject({
      bins: { all: ['gh'] },
    });
  });
});
