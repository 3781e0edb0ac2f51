import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../src/core/result.ts';
import { servicesFor } from '../../src/http/services.ts';
import { type InvokeRequest, invokeSkill } from '../../src/invoke/invoke-skill.ts';
import type { RunStart } from '../../src/invoke/runs/run-contract.ts';
import type { ShellSkill } from '../../src/invoke/render/shell-contract.ts';
import type { CommandOutcome } from '../../src/prompt/command-output.ts';
import { assembleView, type View } from '../../src/view/view.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const ALLOW = 'allowed-tools: Bash\n';
const ORGANISATION = newOrganisation();
const PRINCIPAL = {
  trust: 'trusted' as const,
  actor: 'service' as const,
  organisation: ORGANISATION,
  label: 'test',
  scopes: ['runs:start' as const],
  layers: null,
};
const REQUEST: InvokeRequest = {
  skill: '',
  args: undefined,
  trigger: 'user',
  agent: 'main',
  session: null,
  approvalId: null,
  baseDirectory: '/m',
  projectDirectory: null,
  effort: null,
  mode: 'default',
  shell: 'sandbox',
  outputs: null,
  plugin: null,
  model: null,
  grants: null,
  clientTools: [],
  limits: {},
  actionMilliseconds: null,
  resultSchema: null,
  files: [],
  idempotencyKey: null,
};

let view: View;
beforeAll(async () => {
  const token = await tokenFor(ORGANISATION);
  const tree = treeOf({
    'fork/SKILL.md': skillText(
      'fork',
      `context: fork\nallowed-tools: Bash(\${CLAUDE_SKILL_DIR}/run.sh:*)\n`,
      'Now: !`date`, `$1` of $0.\n```bash\n${CLAUDE_SKILL_DIR}/run.sh $1\n```\n',
    ),
    'two/SKILL.md': skillText('two', ALLOW, '!`cat ${CLAUDE_SKILL_DIR}/$0` then !`grep x y`\n'),
    'many/SKILL.md': skillText('many', ALLOW, '!`date`\n'.repeat(33)),
    'other/SKILL.md': skillText('other', 'allowed-tools: PowerShell\nshell: powershell\n', '!`Get-Date`\n'),
  });
  await push(token, 'org', tree);
  const permissions = { allow: ['Skill'] };
  await call('PUT', '/v1/settings', { token, body: { permissions } });
  view = assembleView(ORGANISATION, await servicesFor(env).records.readFresh(['org'], ORGANISATION));
});

/** Invokes with a shell and runs of ours, and says what they were asked for. */
async function invoke(request: Partial<InvokeRequest>, outcomes: readonly CommandOutcome[] = []) {
  const ran: [command: string, skill: ShellSkill][] = [];
  const started: RunStart[] = [];
  const services = servicesFor(env);
  const uses: string[] = [];
  const ports = {
    ...services,
    uses: { record: (_: string, { name }: { name: string }) => void uses.push(name) },
    shell: {
      run: async (command: string, skill: ShellSkill) => {
        ran.push([command, skill]);
        return {
          ok: true as const,
          value: outcomes[ran.length - 1] ?? { exitCode: 0, stdout: '', stderr: '' },
        };
      },
    },
    note: () => undefined,
    runs: {
      ...services.runs,
      start: async (start: RunStart) => {
        started.push(start);
        return fail({ code: 'internal' as const, detail: 'no run was started' });
      },
    },
  };
  const invoked = await invokeSkill(ports, PRINCIPAL, view, { ...REQUEST, ...request }, null);
  return { invoked, ran, started, uses };
}

describe('invokeSkill', () => {
  it('runs commands one after the other in the folder of the sandbox, and puts in what they gave', async () => {
    const said = (stdout: string, exitCode = 0, stderr = '') => ({ exitCode, stdout, stderr });
    const { invoked, ran, uses } = await invoke({ skill: 'two', args: '"a b"' }, [said('1\n'), said('', 1)]);
    expect(ran.map(([command, { directory }]) => [command, directory])).toEqual([
      ["cat /skills/two/'a b'", '/skills/two'],
      ['grep x y', '/skills/two'],
    ]);
    expect(invoked).toMatchObject({ ok: true, value: { kind: 'inline', requires: [], complete: true } });
    expect(JSON.stringify(invoked)).toContain(String.raw`\n\n1 then \n`);
    expect(uses).toEqual(['two']);
  });

  it('stops at the first command that fails, and then nothing was used', async () => {
    const { invoked, ran, uses } = await invoke({ skill: 'two', args: 'a' }, [
      { exitCode: 3, stdout: 'half', stderr: 'cat: a: gone\n' },
    ]);
    expect(invoked).toMatchObject({
      ok: false,
      error: { code: 'shell_command_failed', data: { command: 'cat /skills/two/a', id: '1', exitCode: 3 } },
    });
    expect(JSON.stringify(invoked)).toContain('cat: a: gone');
    expect(ran).toHaveLength(1);
    expect(uses).toEqual([]);
  });

  it.each([
    [{ skill: 'many' }, 'a skill may have 32 commands'],
    [{ skill: 'other' }, 'the sandbox has bash only'],
    [{ skill: 'two', args: '"a\nb"' }, 'an argument could change what runs'],
  ])('runs nothing of %j where one command may not run', async (request, reason) => {
    const { invoked, ran } = await invoke(request);
    expect(invoked).toMatchObject({ ok: false, error: { code: 'shell_command_refused' } });
    expect(JSON.stringify(invoked)).toContain(reason);
    expect(ran).toEqual([]);
  });

  it('starts a run with its steps and rules filled in, and without inline commands', async () => {
    const { started, ran } = await invoke({ skill: 'fork', args: 'a b' });
    expect(ran).toEqual([]);
    expect(started).toMatchObject([
      {
        steps: ['/skills/fork/run.sh b'],
        tools: { declared: ['Bash(/skills/fork/run.sh:*)'] },
        prompt: expect.stringContaining('Now: [shell command execution disabled by policy], `$1` of a.\n'),
      },
    ]);
  });
});
