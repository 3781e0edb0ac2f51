import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureDetection } from './lib/measure-detection.ts';
import { measureListingRecall } from './lib/measure-listing-recall.ts';
import { measureRetrieval, recallAt } from './lib/measure-retrieval.ts';

const USAGE = `npm run retrieval -- [--corpora DIR] [--misses]

How often search finds the right one of several hundred real skills for a request: first, among 5, among 10; how often
a listing made for the request names it at all; and how often a request has words in it by which a skill wants to be used.
  --corpora DIR  where the corpora lie (default ../shared/corpora)
  --misses       also print every request whose skill is not first`;

const WINDOWS = [8_000, 32_000, 200_000];

const { values } = parseArgs({
  options: {
    corpora: { type: 'string', default: '../shared/corpora' },
    misses: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const corpora = resolve(values.corpora);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const retrieval = await measureRetrieval(corpora);
if (!retrieval) {
  console.log(`skipped: the corpora are not in ${values.corpora} (--corpora DIR)`);
  process.exit(0);
}
if (values.misses) {
  for (const { text, skill, rank } of retrieval.ranks)
    if (rank > 1) console.log(`${Number.isFinite(rank) ? rank : '-'}  ${skill}: ${text}`);
}
console.log(
  `${retrieval.ranks.length} requests over ${retrieval.skills} skills, ${retrieval.milliseconds.toFixed(2)} ms each`,
);
for (const depth of [1, 5, 10]) console.log(`recall@${depth}: ${percent(recallAt(depth, retrieval))}`);
for (const { window, named, namedWithoutQuery } of (await measureListingRecall(corpora, WINDOWS)) ?? [])
  console.log(
    `named in a listing for ${window} tokens: ${percent(named)}, without query= ${percent(namedWithoutQuery)}`,
  );
const detection = await measureDetection(corpora);
if (detection) {
  const { requests, first, among, otherFirst, none, skills, triggerable, milliseconds } = detection;
  console.log(
    `${triggerable} of ${skills} skills have trigger phrases; ${milliseconds.toFixed(2)} ms a request`,
  );
  console.log(
    `detected in ${requests}: ${first} first, ${among} among ten; another first ${otherFirst}, nothing ${none}`,
  );
}
