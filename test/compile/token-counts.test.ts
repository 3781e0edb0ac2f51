import { describe, expect, it } from 'vitest';
import { IndexPage, ListingIndex } from '../../src/catalog/listing-index.ts';
import { CatalogRoot, CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import { CUT_POINTS, TOKENIZER } from '../../src/catalog/token-counts.ts';
import { compileLayer, type CompileOptions } from '../../src/compile/compile-layer.ts';
import { Report } from '../../src/compile/report.ts';
import { cutText } from '../../src/listing/grapheme-cut.ts';
import { count, tokenize } from '../listing/counted-lists.ts';
import { CollectedBlobs, treeOf } from './trees.ts';

const counter = { name: TOKENIZER, count } as const;
const BODY = '# Heading\n\nThe body, with <|endoftext|> in it.\n';
const text = (description: string, more = '', body = BODY) =>
  `---\ndescription: ${JSON.stringify(description)}\n${more}---\n${body}`;

async function compile(files: Record<string, string>, options: CompileOptions = {}) {
  const sink = new CollectedBlobs();
  const layer = await compileLayer('plugin:theirs', treeOf(files), sink, options);
  const parse = (digest: Parameters<typeof sink.text>[0]): unknown => JSON.parse(sink.text(digest));
  const entries = CatalogRoot.parse(parse(layer.catalog)).shards.flatMap(
    ({ digest }) => CatalogShard.parse(parse(digest)).entries,
  );
  const reports = entries.map(({ report }) => Report.parse(parse(report)));
  const { pages } = ListingIndex.parse(parse(layer.index));
  const indexed = pages.flatMap(({ digest }) => IndexPage.parse(parse(digest)).entries);
  return { entries, reports, indexed };
}

describe('what is counted of a skill', () => {
  it('is its body, and its listing texts whole and at the cut points', async () => {
    const description = 'Sorts the imports of a module, then '.repeat(8).trim();
    const { reports, entries, indexed } = await compile(
      {
        'sort/SKILL.md': text(
          description,
          'when_to_use: After a merge.\nshort_description: Sorts imports.\n',
        ),
      },
      { counter },
    );
    const cuts = (whole: string) =>
      [...CUT_POINTS.filter((point) => point < whole.length), whole.length].map((end) =>
        tokenize(` ${cutText(whole, end)}\n`),
      );
    const listing = [`${description} - After a merge.`, description, 'Sorts imports.'].flatMap(cuts);
    const body = tokenize(BODY);
    expect(reports[0]?.tokens).toEqual({ tokenizer: 'o200k_base', body, listing });
    const head = [
      tokenize('- sort [community plugin:theirs]:'),
      tokenize('- sort [community plugin:theirs]\n'),
    ];
    expect(entries[0]?.tokens).toEqual({ body, listing: [...listing, ...head] });
    expect(indexed[0]?.tokens).toEqual([...listing, ...head]);
  });

  it('is counted once where texts are the same', async () => {
    const { reports } = await compile(
      { 'a/SKILL.md': text('Short.'), 'b/SKILL.md': '---\nname: b\n---\n' },
      { counter },
    );
    expect(reports.map((report) => report.tokens)).toEqual([
      { tokenizer: 'o200k_base', body: tokenize(BODY), listing: [tokenize(' Short.\n')] },
      { tokenizer: 'o200k_base', body: 0, listing: [tokenize(' b\n')] },
    ]);
  });

  it('is of the text as the listing cleans it', async () => {
    const { reports } = await compile({ 'a/SKILL.md': text('One\n\n- two <b>\u200b') }, { counter });
    expect(reports[0]?.tokens?.listing).toEqual([tokenize(' One - two ‹b›\n')]);
  });

  it('is nothing without a tokenizer, or where counting would take minutes', async () => {
    const endless = text('Short.', '', 'x'.repeat(100_000));
    const { entries, reports, indexed } = await compile({ 'a/SKILL.md': endless }, { counter });
    const without = await compile({ 'a/SKILL.md': text('Short.') });
    for (const tokens of [entries[0], reports[0], indexed[0], without.entries[0], without.reports[0]].map(
      (each) => each?.tokens,
    ))
      expect(tokens).toBeNull();
  });
});
