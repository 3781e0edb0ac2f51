import { expect, it } from 'vitest';
import { parseSkill } from '../../src/format/parse-skill.ts';
import { permissionsOf } from '../../src/compile/skill-permissions.ts';
import { compareSkillPermissions } from '../../src/invoke/permission-upgrade.ts';

function permissions(frontmatter: string) {
  const bytes = new TextEncoder().encode(`---\nname: x\ndescription: y\n${frontmatter}---\n`);
  const { skill } = parseSkill(bytes, 'x', 'SKILL.md');
  if (skill === null) throw new Error('no skill');
  return permissionsOf(skill.fields);
}

const NOTHING = { tools: [], hooks: [], shell: [], network: [], requirements: [] };
const HOOKS = `hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./check.sh
        - type: http
          url: https://example.org/hook
  Stop:
    - hooks:
        - type: prompt
          prompt: Done?
`;

it('are what the fields ask for, line by line', () => {
  expect(permissions('')).toEqual(NOTHING);
  expect(
    permissions(
      `allowed-tools: [Read, "Bash(git diff:*)", "WebFetch(domain:a.org)", mcp__desk]\nrequires:\n  bins: [gh]\n${HOOKS}`,
    ),
  ).toEqual({
    tools: ['Bash(git diff:*)', 'Read', 'WebFetch(domain:a.org)', 'mcp__desk'],
    hooks: [
      'PreToolUse Bash: command ./check.sh',
      'PreToolUse Bash: http https://example.org/hook',
      'Stop: prompt Done?',
    ],
    shell: ['Bash(git diff:*)', 'PreToolUse Bash: command ./check.sh'],
    network: ['PreToolUse Bash: http https://example.org/hook', 'WebFetch(domain:a.org)', 'mcp__desk'],
    requirements: ['bins: gh'],
  });
  expect(permissions('allowed-tools: ["*"]\nshell: powershell\n')).toMatchObject({
    shell: ['*', 'shell: powershell'],
    network: ['*'],
  });
});

it('are compared with those of before', () => {
  const before = permissions('allowed-tools: [Read, Bash]\n');
  const now = permissions('allowed-tools: [Read, WebFetch]\nrequires:\n  env: [TOKEN]\n');
  expect(compareSkillPermissions(before, now)).toEqual({
    gained: { ...NOTHING, tools: ['WebFetch'], network: ['WebFetch'], requirements: ['env: TOKEN'] },
    lost: { ...NOTHING, tools: ['Bash'], shell: ['Bash'] },
  });
  expect(compareSkillPermissions(now, now)).toEqual({ gained: NOTHING, lost: NOTHING });
});
