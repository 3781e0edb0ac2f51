import { beforeAll, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const skill = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\nHow.\n`;

let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  const release = 'Writes release notes. Use when preparing release notes.';
  await push(
    token,
    'org',
    treeOf({
      'release/SKILL.md': skill('release', release),
      'release/scripts/notes.py': 'print(1)',
      'fruit/SKILL.md': skill('fruit', 'Use when planting an apple tree. Do not use for pear trees.'),
      'manual/SKILL.md': skill('manual', release, 'disable-model-invocation: true\n'),
      'codex/SKILL.md': skill('codex', release, 'policy:\n  allow_implicit_invocation: false\n'),
      'switched/SKILL.md': skill('switched', release),
      'hidden/SKILL.md': skill('hidden', release),
      'web/SKILL.md': skill('web', release, 'paths: "web/**"\n'),
      'mac/SKILL.md': skill('mac', release, 'platforms: [macos]\n'),
    }),
  );
  const states = { switched: 'off', hidden: 'manual' };
  expect((await call('PUT', '/v1/settings', { token, body: { states } })).status).toBe(200);
  const other = await tokenFor(newOrganisation());
  await push(other, 'org', treeOf({ 'foreign/SKILL.md': skillText('foreign') }));
});

interface Detected {
  skill: { name: string; layer: string; revision: string };
  phrase: string;
  start: number;
  end: number;
}

async function ask<Answer>(body: unknown, query = ''): Promise<Answer> {
  const response = await call('POST', `/v1/detect${query}`, { token, body });
  expect(response.status).toBe(200);
  return response.json();
}

async function inMessage(message: string, more: object = {}) {
  const { candidates, vetoed } = await ask<{ candidates: Detected[]; vetoed: Detected[] }>({
    message,
    ...more,
  });
  const names = (found: Detected[]) => found.map(({ skill: { name } }) => name);
  return { candidates: names(candidates), vetoed: names(vetoed) };
}

describe('POST /v1/detect with a message', () => {
  it('says which skill it calls for, by which words, and where', async () => {
    const message = 'Could you prepare the release notes?';
    expect(await ask({ message })).toEqual({
      candidates: [
        {
          skill: { name: 'release', layer: 'org', revision: expect.stringMatching(/^sha256:/) },
          phrase: 'prepare the release notes',
          start: 10,
          end: 35,
          words: 3,
          whole: true,
        },
      ],
      vetoed: [],
      more: false,
    });
    expect(message.slice(10, 35)).toBe('prepare the release notes');
  });

  it('never means a skill that only people start, that is switched off, or that waits for something', async () => {
    const message = 'prepare release notes';
    expect((await inMessage(message)).candidates).toEqual(['release']);
    const more = { paths: ['web/a.ts'], platform: 'macOS' };
    for (const said of [more, { paths: ['./web/a.ts'], platform: 'darwin' }])
      expect((await inMessage(message, said)).candidates.toSorted()).toEqual(['mac', 'release', 'web']);
  });

  it('tells what a skill says it is not for', async () => {
    expect(await inMessage('plant an apple tree')).toEqual({ candidates: ['fruit'], vetoed: [] });
    expect(await inMessage('plant an apple tree beside the pear trees')).toEqual({
      candidates: [],
      vetoed: ['fruit'],
    });
    const { vetoed } = await ask<{ vetoed: unknown[] }>({ message: 'apple tree or pear tree' });
    expect(vetoed).toMatchObject([
      { phrase: 'apple tree', whole: false, veto: { phrase: 'pear tree', start: 14, end: 23 } },
    ]);
  });

  it('finds nothing in nothing', async () => {
    expect(await inMessage('')).toEqual({ candidates: [], vetoed: [] });
    const response = await call('POST', '/v1/detect', { token, body: { message: 'x'.repeat(16_385) } });
    expect(response.status).toBe(400);
  });
});

describe('POST /v1/detect with a command', () => {
  const touched = async (command: string, more: object = {}) => {
    const { skills } = await ask<{ skills: { skill: { name: string }; kind: string; path: string }[] }>({
      command,
      ...more,
    });
    return skills.map(({ skill: { name }, kind, path }) => `${name} ${kind} ${path}`);
  };
  const below = { cwd: '/home/me', baseDirectories: [{ path: '/home/me/skills' }] };

  it.each<[string, object, string[]]>([
    ['python skills/release/scripts/notes.py --all', below, ['release script scripts/notes.py']],
    [
      'cat skills/release/SKILL.md skills/fruit/SKILL.md',
      below,
      ['release document SKILL.md', 'fruit document SKILL.md'],
    ],
    ['cd skills/release && python scripts/notes.py', below, ['release script scripts/notes.py']],
    [
      'python notes.py',
      { cwd: '/x/r/', baseDirectories: [{ path: '/x/r', skill: 'release' }] },
      ['release script notes.py'],
    ],
    [
      'python /s/release/x.py',
      { baseDirectories: [{ path: '/s' }, { path: '/s/release', skill: 'fruit' }] },
      ['fruit script x.py'],
    ],
    ['cat skill://org%2Frelease', {}, ['release document SKILL.md']],
    // Who starts it does not matter: it was used.
    ['cat skill://manual/SKILL.md', {}, ['manual document SKILL.md']],
    ['cat skill://foreign skill://missing skill://switched', {}, []],
    ['cat /home/me/skillset/release/SKILL.md /home/me/skills/SKILL.md', below, []],
    ['python skills/release/../../x.py', below, []],
    ['git status', below, []],
  ])('%s', async (command, more, expected) => {
    expect(await touched(command, more)).toEqual(expected);
  });
});

describe('POST /v1/detect', () => {
  it.each([
    {},
    { message: 'x', command: 'y' },
    { command: 'x', baseDirectories: [{}] },
    { message: 'x', platform: '' },
  ])('refuses %j', async (body) => {
    expect((await call('POST', '/v1/detect', { token, body })).status).toBe(400);
  });
});
