import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../src/format/parse-skill.ts';
import { installPermissions } from '../../src/publish/permissions.ts';

const NOTHING = { tools: [], hooks: [], shell: [], network: [], requirements: [] };
const hook = (action: string) => `hooks:\n  Stop:\n    - hooks:\n        - ${action}`;
const CALL = 'Stop: http https://example.org/';
const BREW = 'metadata: {openclaw: {install: [{kind: brew, formula: gh, bins: [gh]}]}}';

describe('what a skill asks for, to be let in', () => {
  it.each<[string, string, string, object]>([
    ['nothing', '', 'Read it.', {}],
    ['a tool', 'allowed-tools: Read', '', { tools: ['Read'] }],
    ['a shell', 'allowed-tools: Bash(ls:*)', '', { tools: ['Bash(ls:*)'], shell: ['Bash(ls:*)'] }],
    ['the network', 'allowed-tools: WebFetch', '', { tools: ['WebFetch'], network: ['WebFetch'] }],
    ['a command in its text', '', 'Now: !`date`', { shell: ['inline: date'] }],
    ['a block of commands', '', '```!\ndate\n```', { shell: ['inline: date'] }],
    [
      'a hook that runs',
      hook('{type: command, command: ls}'),
      '',
      { hooks: ['Stop: command ls'], shell: ['Stop: command ls'] },
    ],
    [
      'a hook that calls',
      hook('{type: http, url: "https://example.org/"}'),
      '',
      { hooks: [CALL], network: [CALL] },
    ],
    ['a hook that asks', hook('{type: prompt, prompt: Why?}'), '', { hooks: ['Stop: prompt Why?'] }],
    ['what it needs', 'requires: {bins: [gh]}', '', { requirements: ['bins: gh'] }],
    ['what would be installed', BREW, '', { shell: ['install: brew gh'], network: ['install: brew gh'] }],
  ])('is %s', (_what, frontmatter, body, expected) => {
    const text = `---\nname: one\ndescription: One.\n${frontmatter}\n---\n${body}\n`;
    const { skill } = parseSkill(new TextEncoder().encode(text), 'one', 'SKILL.md');
    expect(skill && installPermissions(skill.fields, skill.body)).toEqual({ ...NOTHING, ...expected });
  });
});
