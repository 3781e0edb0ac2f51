import { beforeEach, describe, expect, it } from 'vitest';
import { TOKENIZER } from '../../src/catalog/token-counts.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { count, tokenize } from '../listing/counted-lists.ts';
import { call, newOrganisation, tokenFor } from '../support/deployment.ts';
import { pushAccepted } from '../support/publishing.ts';

interface Answer {
  listing: string;
  unit: string;
  tokenizer?: string;
  estimatedEntries?: number;
  used: number;
  budget: number;
  estimatedTokens: number;
  counts: Record<string, number>;
}

const counter = { name: TOKENIZER, count } as const;
const described = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\n# ${name}\n\nDo it. <|endoftext|>\n`;
const SKILLS = treeOf({
  'review/SKILL.md': described(
    'review',
    'Reviews a change (diff, branch or "PR #12") line by line; says what is wrong, and where. '.repeat(4),
  ),
  '翻译/SKILL.md': described(
    '翻译',
    '把文档从英文翻译成中文，并保留代码块、链接和表格。当用户要求翻译或本地化文档时使用。'.repeat(4),
    'when_to_use: 当有人说“翻译”时\n',
  ),
  'emoji/SKILL.md': described(
    'emoji',
    'Adds 👩‍👩‍👧‍👦 and 🇩🇪 to ❤️ messages 🎉🎉🎉! Use it when e\u0301very line needs one 🏳️‍🌈. '.repeat(3),
  ),
  'regexp/SKILL.md': described(
    'regexp',
    '/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)$/u -- {}[]();: && || ??= ... <b>"\'`\\'.repeat(5),
    'when_to_use: "When you\'ll need /x/; or a::b"\nshort_description: Writes /re/.\n',
  ),
  'thai/SKILL.md': described('thai', 'แปลเอกสารและตรวจสอบไวยากรณ์ของข้อความภาษาไทยที่ยาวโดยไม่มีช่องว่าง'.repeat(3)),
  'nothing/SKILL.md': '---\nname: nothing\n---\nA body.\n',
  'a.b/SKILL.md': described('a.b...', 'A name that ends in dots.'),
  'nested/review/SKILL.md': described('review', 'Another one of that name: it becomes nested:review.'),
});

const THEIRS = treeOf({
  'review/SKILL.md': described('review', 'Takes the name of another, which it cannot.'),
  'their-notes/SKILL.md': described('their-notes', 'Notes, in two words: for you… '.repeat(12)),
});

let token = '';
beforeEach(async () => {
  token = await tokenFor(newOrganisation());
});
const listing = async (query: string): Promise<Answer> =>
  (await call('GET', `/v1/listing?unit=counted&scope=plugin:theirs&${query}`, { token })).json();

describe('a listing in counted tokens', () => {
  it('has exactly as many as it says, at any budget, of layers of one’s own and of others', async () => {
    expect((await pushAccepted(token, 'org', SKILLS, {}, { counter })).response.status).toBe(200);
    expect((await pushAccepted(token, 'plugin:theirs', THEIRS, {}, { counter })).response.status).toBe(200);
    for (let budget = 0; budget < 900; budget += 23) {
      const answer = await listing(`budget=${budget}`);
      expect(answer).toMatchObject({ unit: 'counted', tokenizer: 'o200k_base', estimatedEntries: 0, budget });
      expect(tokenize(answer.listing)).toBe(answer.used);
      expect(answer.used).toBeLessThanOrEqual(budget);
      const reminder = await call(
        'GET',
        `/v1/listing?unit=counted&scope=plugin:theirs&format=reminder&budget=${budget}`,
        { token },
      );
      expect(tokenize(await reminder.text())).toBeLessThanOrEqual(budget);
    }
    const all = await listing('budget=10000');
    expect(all.counts).toMatchObject({ total: 10, full: 9, shadowed: 1 });
    expect(all.listing).toContain('- nested:review: Another one');
    expect(all.estimatedTokens).toBe(Math.ceil(new TextEncoder().encode(all.listing).length / 4));
  });

  it('marks what is not trusted, and counts the mark', async () => {
    await pushAccepted(token, 'plugin:theirs', SKILLS, {}, { counter });
    const { listing: text, used } = await listing('budget=10000');
    expect(text).toMatch(/^- emoji \[community plugin:theirs\]: /m);
    expect(tokenize(text)).toBe(used);
  });

  it('has a share of the window for its budget', async () => {
    await pushAccepted(token, 'org', SKILLS, {}, { counter });
    expect(await listing('context_window=20000')).toMatchObject({ budget: 200 });
    expect(await listing('')).toMatchObject({ budget: 2_000 });
  });

  it('says how many entries nobody had counted', async () => {
    await pushAccepted(token, 'org', SKILLS, {}, { counter });
    await pushAccepted(token, 'plugin:theirs', treeOf({ 'late/SKILL.md': skillText('late') }));
    const answer = await listing('budget=10000');
    expect(answer.estimatedEntries).toBe(1);
    expect(answer.used).toBeGreaterThanOrEqual(tokenize(answer.listing));
  });

  it('goes on being counted where the organisation shows names only', async () => {
    await pushAccepted(token, 'org', SKILLS, {}, { counter });
    await call('PUT', '/v1/settings', { token, body: { states: { review: 'name-only' } } });
    const { listing: text, used, estimatedEntries } = await listing('budget=10000');
    expect([tokenize(text), estimatedEntries]).toEqual([used, 0]);
  });

  it('estimates what it only announces', async () => {
    const waiting = described('lint', 'Lints. '.repeat(20), 'paths: src/**/*.ts\n');
    await pushAccepted(token, 'org', treeOf({ 'lint/SKILL.md': waiting }), {}, { counter });
    const announced = await listing('budget=10000&announce=1');
    expect([announced.listing, announced.estimatedEntries]).toEqual([
      '- lint: available for src/**/*.ts\n',
      1,
    ]);
    const active = await listing('budget=10000&paths=src/a.ts');
    expect([tokenize(active.listing), 0]).toEqual([active.used, active.estimatedEntries]);
  });

  it.each(['format=xml', 'profile=codex', 'profile=seed'])('is not there with %s', async (query) => {
    const response = await call('GET', `/v1/listing?unit=counted&${query}`, { token });
    expect([response.status, await response.json()]).toMatchObject([400, { at: 'unit' }]);
  });
});

describe('the counts of a push', () => {
  const body = 'word '.repeat(1_000);
  const tree = treeOf({ 'one/SKILL.md': skillText('one', '', body) });
  const pushedWith = async (claim: (text: string) => number) => {
    const { response } = await pushAccepted(
      token,
      'org',
      tree,
      {},
      { counter: { name: TOKENIZER, count: claim } },
    );
    return [response.status, (await response.json<{ code?: string }>()).code];
  };

  it('are in the answer about a skill', async () => {
    await pushAccepted(token, 'org', tree, {}, { counter });
    const skill = await call('GET', '/v1/skills/one', { token });
    expect(await skill.json()).toMatchObject({
      tokens: {
        tokenizer: 'o200k_base',
        body: tokenize(body),
        listing: [tokenize(' Does one.\n')],
      },
    });
  });

  it('are the publisher’s word within what can be', async () => {
    const bytes = (text: string): number => new TextEncoder().encode(text).length;
    expect(await pushedWith(bytes)).toEqual([200, undefined]);
    expect(await pushedWith((text) => Math.ceil(bytes(text) / 128))).toEqual([200, undefined]);
    const none = await pushAccepted(token, 'org', tree);
    expect(none.response.status).toBe(200);
  });

  it.each<[string, (text: string) => number]>([
    ['one for everything', () => 1],
    ['nothing at all', () => 0],
    ['less than nothing', () => -1],
    ['a part of one', (text) => tokenize(text) + 0.5],
    ['more than there are bytes', (text) => new TextEncoder().encode(text).length + 1],
  ])('are refused where they say %s', async (_name, claim) => {
    const [status, code] = await pushedWith(claim);
    expect([409, 422, 503]).toContain(status);
    expect(code).toBe('push_invalid');
  });
});
