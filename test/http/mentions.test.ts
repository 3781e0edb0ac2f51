import { beforeAll, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

interface Answer {
  mentions: {
    start: number;
    end: number;
    syntax: string;
    name: string | null;
    path?: string;
    args?: string;
    status: string;
    skill?: { name: string; layer: string; revision: string };
    names?: string[];
  }[];
  more: boolean;
}

const organisation = newOrganisation();
let token = '';
beforeAll(async () => {
  token = await tokenFor(organisation);
  await push(
    token,
    'org',
    treeOf({
      'pdf/SKILL.md': skillText('pdf', '', 'Of the organisation.\n'),
      'review/SKILL.md': skillText('review'),
      'inner/SKILL.md': skillText('inner', 'user-invocable: false\n'),
      'apart/SKILL.md': skillText('apart', 'context: fork\n'),
    }),
  );
  await push(token, 'user:alice', treeOf({ 'pdf/SKILL.md': skillText('pdf', '', "Alice's.\n") }));
  await push(token, 'plugin:p', treeOf({ 'review/SKILL.md': skillText('review', '', 'From anybody.\n') }));
  const other = await tokenFor(newOrganisation());
  await push(other, 'org', treeOf({ 'foreign/SKILL.md': skillText('foreign') }));
});

async function ask(text: string, query = ''): Promise<Answer> {
  const response = await call('POST', `/v1/mentions${query}`, { token, body: { text } });
  expect(response.status).toBe(200);
  return response.json();
}

const brief = ({ mentions }: Answer) =>
  mentions.map(({ name, status, skill, args }) =>
    [
      name,
      status,
      ...(skill ? [`${skill.layer}/${skill.name}`] : []),
      ...(args === undefined ? [] : [args]),
    ].join(' | '),
  );

describe('POST /v1/mentions', () => {
  it('says where a skill is named, how, and which it is', async () => {
    const text = 'use $pdf now';
    const { mentions, more } = await ask(text);
    expect(mentions).toEqual([
      {
        start: 4,
        end: 8,
        syntax: 'dollar',
        name: 'pdf',
        status: 'resolved',
        skill: { name: 'pdf', layer: 'org', revision: expect.stringMatching(/^sha256:/) },
      },
    ]);
    expect([text.slice(4, 8), more]).toEqual(['$pdf', false]);
  });

  it.each([
    ['$foreign $missing', ['foreign | unknown', 'missing | unknown']],
    ['$inner', ['inner | not-user-invocable']],
    ['/inner x', ['inner | not-user-invocable | x']],
    ['read skill://inner/SKILL.md', ['inner | resolved | org/inner']],
    ['skill://pdf/../x', [' | invalid-path']],
    ['/skill:pdf  fill it\nplease ', ['pdf | resolved | org/pdf | fill it\nplease']],
    ['/user:alice/pdf x', ['user:alice/pdf | unknown | x']],
    ['Skill: /home/me/.skills/pdf/SKILL.md\nUser: fill', ['pdf | resolved | org/pdf | fill']],
  ])('%j', async (text, expected) => {
    expect(brief(await ask(text))).toEqual(expected);
  });

  it('gives stacked commands the same arguments, up to the first that is not an inline skill', async () => {
    expect(brief(await ask('/pdf /review 123'))).toEqual([
      'pdf | resolved | org/pdf | 123',
      'review | resolved | org/review | 123',
    ]);
    for (const name of ['apart', 'inner', 'missing'])
      expect(brief(await ask(`/pdf /${name} x`))).toEqual([`pdf | resolved | org/pdf | /${name} x`]);
    expect(brief(await ask('/apart /pdf x'))).toEqual(['apart | resolved | org/apart | /pdf x']);
    expect(brief(await ask('/missing /pdf'))).toEqual(['missing | unknown | /pdf']);
    expect(brief(await ask('/pdf /pdf /pdf /pdf /pdf /pdf /pdf'))).toEqual(
      Array.from({ length: 6 }, () => 'pdf | resolved | org/pdf | /pdf'),
    );
  });

  it('takes a dollar for no one where it could be two, and every other syntax for the first', async () => {
    const { mentions } = await ask('/pdf $pdf [$pdf](skill://user:alice%2Fpdf)', '?scope=user:alice');
    expect(mentions.map(({ status, skill, names }) => [status, skill?.layer, names])).toEqual([
      ['resolved', 'org', undefined],
      ['ambiguous', undefined, ['org/pdf', 'user:alice/pdf']],
      ['resolved', 'user:alice', undefined],
    ]);
    // A plugin cannot make a name of the organisation ambiguous.
    expect(brief(await ask('$review', '?scope=plugin:p'))).toEqual(['review | resolved | org/review']);
  });

  it('takes no slash commands where the organisation wants none', async () => {
    const own = await tokenFor(newOrganisation());
    await push(own, 'org', treeOf({ 'pdf/SKILL.md': skillText('pdf') }));
    await call('PUT', '/v1/settings', { token: own, body: { slashCommands: false } });
    const text = '/skill:pdf x\nSkill: pdf\nuse $pdf';
    const answer: Answer = await (await call('POST', '/v1/mentions', { token: own, body: { text } })).json();
    expect(brief(answer)).toEqual([
      'pdf | commands-off | x\nSkill: pdf\nuse $pdf',
      'pdf | commands-off',
      'pdf | resolved | org/pdf',
    ]);
  });

  it('looks up a bounded number of names and places, and says so', async () => {
    const many = Array.from({ length: 40 }, (_, at) => `$name${at}`).join(' ');
    const names = await ask(many);
    expect([names.mentions.length, names.more]).toEqual([30, true]);
    const places = await ask('$pdf '.repeat(200));
    expect([places.mentions.length, places.more]).toEqual([100, true]);
    const response = await call('POST', '/v1/mentions', { token, body: { text: 'x'.repeat(65_537) } });
    expect(response.status).toBe(400);
  });
});
