import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, HooksSchema } from '../../../src/format/fields/hook-schema.ts';
import { parseSkill } from '../../../src/format/parse-skill.ts';

/** `hooks` stands on line 4; each line given is one further down. */
function read(...lines: string[]) {
  const text = ['---', 'name: x', 'description: y', 'hooks:', ...lines, '---', 'body'].join('\n');
  const { skill } = parseSkill(new TextEncoder().encode(text), 'x', 'SKILL.md');
  const remarks = skill?.diagnostics.map((entry) => `${entry.code}:${entry.line}: ${entry.message}`);
  return { hooks: skill?.fields.hooks, remarks };
}

describe('hooks', () => {
  it('know 29 events', () => {
    expect(HOOK_EVENTS.size).toBe(29);
  });

  it('of every type are read with all of their members', () => {
    const { hooks, remarks } = read(
      '  PreToolUse:',
      '    - matcher: Bash|Write',
      '      hooks:',
      '        - {type: command, command: ./a.sh, args: [x], shell: bash, timeout: 5, statusMessage: s, once: true, async: true, asyncRewake: false, if: "Bash(git *)"}',
      '        - {type: prompt, prompt: Is it?, model: haiku, timeout: 30}',
      '        - {type: agent, prompt: Check it, timeout: 60}',
      '        - type: http',
      '          url: https://example.org/hook',
      '          headers: {Authorization: "Bearer $TOKEN"}',
      '          allowedEnvVars: [TOKEN]',
      '        - {type: mcp_tool, server: s, tool: t, input: {a: [1]}}',
      '  Stop:',
      '    - hooks: [{type: command, command: ./b.sh}]',
    );
    expect(remarks).toEqual([]);
    expect(hooks).toEqual({
      PreToolUse: [
        {
          matcher: 'Bash|Write',
          hooks: [
            {
              type: 'command',
              command: './a.sh',
              args: ['x'],
              shell: 'bash',
              timeout: 5,
              statusMessage: 's',
              once: true,
              async: true,
              asyncRewake: false,
              if: 'Bash(git *)',
            },
            { type: 'prompt', prompt: 'Is it?', model: 'haiku', timeout: 30 },
            { type: 'agent', prompt: 'Check it', timeout: 60 },
            {
              type: 'http',
              url: 'https://example.org/hook',
              headers: { Authorization: 'Bearer $TOKEN' },
              allowedEnvVars: ['TOKEN'],
            },
            { type: 'mcp_tool', server: 's', tool: 't', input: { a: [1] } },
          ],
        },
      ],
      Stop: [{ hooks: [{ type: 'command', command: './b.sh' }] }],
    });
    expect(HooksSchema.safeParse(hooks).success).toBe(true);
  });

  it('that are wrong are left out one by one, each with its own line', () => {
    const { hooks, remarks } = read(
      '  PreToolUse:',
      '    - matcher: Bash',
      '      hooks:',
      '        - type: command',
      '          command: ./good.sh',
      '        - type: command',
      '          timeout: 5',
      '        - type: command',
      '          command: ./late.sh',
      '          timeout: soon',
      '        - type: shout',
      '        - ./script.sh',
      '    - matcher: [Bash]',
      '      hooks: [{type: command, command: ./x.sh}]',
      '    - hooks: []',
      '    - just text',
    );
    expect(hooks).toEqual({
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './good.sh' }] }],
    });
    expect(remarks?.map((remark) => remark.split(': ', 2).join(': '))).toEqual([
      'hooks-invalid:10: hooks.PreToolUse[0].hooks[1].command',
      'hooks-invalid:14: hooks.PreToolUse[0].hooks[2].timeout',
      'hooks-invalid:15: hooks.PreToolUse[0].hooks[3]',
      'hooks-invalid:16: hooks.PreToolUse[0].hooks[4]',
      'hooks-invalid:17: hooks.PreToolUse[1].matcher',
      'hooks-invalid:19: hooks.PreToolUse[2].hooks',
      'hooks-invalid:20: hooks.PreToolUse[3]',
    ]);
  });

  it.each<[string, string[], string]>([
    ['an unknown event', ['  BeforeTool: []'], 'hook-event-unknown:5: there is no event "BeforeTool"'],
    [
      'an event of the prototype',
      ['  constructor: []'],
      'hook-event-unknown:5: there is no event "constructor"',
    ],
    ['an event that is no list', ['  Stop: {a: 1}'], 'hooks-invalid:5: hooks.Stop: is not a list'],
    ['a list of events', ['  - Stop'], 'hooks-invalid:4: hooks: is not a map of events'],
  ])('with %s are reported', (_what, lines, remark) => {
    const { hooks, remarks } = read(...lines);
    expect(hooks).toBeNull();
    expect(remarks).toEqual([remark]);
  });

  it('keep no member that they do not have', () => {
    const { hooks, remarks } = read(
      '  Stop:',
      '    - hooks:',
      '        - type: prompt',
      '          prompt: p',
      '          command: rm -rf .',
    );
    expect(hooks).toEqual({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'p' }] }] });
    expect(remarks).toEqual(['hook-member-unknown:9: a hook has no "command"']);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'example.org'])('call no %s', (url) => {
    const { hooks, remarks } = read('  Stop:', `    - hooks: [{type: http, url: "${url}"}]`);
    expect(hooks).toBeNull();
    expect(remarks).toHaveLength(1);
  });

  it('may be empty', () => {
    expect(read()).toEqual({ hooks: null, remarks: [] });
  });
});
