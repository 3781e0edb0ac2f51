import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { indexSkill } from '../src/search/index-skill.ts';
import { searchLayer } from '../src/search/search-layer.ts';
import { createIndex } from '../src/search/search-schema.ts';
import { SEARCHED_REPORT, skillTexts } from '../src/search/skill-texts.ts';
import { scoreOf, statisticsOf } from '../src/view/score-hits.ts';
import { REQUESTS } from '../test/search/requests.ts';
import { compileCorpora } from './lib/corpora-entries.ts';
import { nodeSql } from './lib/node-sql.ts';

/** Over skills of ten repositories: how often is the right one for a written request first, in the first 5, in 10? */
const CORPORA = [
  'anthropics--skills',
  'cloudflare--skills',
  'getsentry--skills',
  'github--awesome-copilot',
  'hashicorp--agent-skills',
  'mattpocock--skills',
  'obra--superpowers',
  'trailofbits--skills',
  'vercel-labs--agent-skills',
  'wshobson--agents',
];
const DEPTHS = [1, 5, 10];

const { values } = parseArgs({
  options: {
    corpora: { type: 'string', default: '../shared/corpora' },
    misses: { type: 'boolean', default: false },
  },
});

const corpora = await compileCorpora(resolve(values.corpora), CORPORA);
if (!corpora) {
  console.log(`skipped: ${values.corpora} does not have the corpora (--corpora DIR)`);
  process.exit(0);
}
const sql = nodeSql();
createIndex(sql);
for (const entry of corpora.entries) {
  const report = SEARCHED_REPORT.parse(new TextDecoder().decode(corpora.read(entry.report)));
  if (report) indexSkill(sql, entry, skillTexts(report, corpora.read(entry.skillFile.sha256)), 1);
}

const names = new Set(corpora.entries.map(({ name }) => name));
const unknown = REQUESTS.filter(([, skill]) => !names.has(skill));
if (unknown.length > 0) throw new Error(`no such skills: ${unknown.map(([, skill]) => skill).join(', ')}`);

const started = performance.now();
const ranks = REQUESTS.map(([text, skill]) => {
  const matches = searchLayer(sql, { text, limit: Math.max(...DEPTHS), hidden: [] });
  const statistics = statisticsOf([matches]);
  const found = matches.hits
    .toSorted((left, right) => scoreOf(right, statistics) - scoreOf(left, statistics))
    .map(({ name }) => name);
  const rank = found.indexOf(skill);
  if (values.misses && rank !== 0)
    console.log(`${rank + 1} "${text}": ${skill}, not ${found.slice(0, 3).join(', ')}`);
  return rank === -1 ? Number.POSITIVE_INFINITY : rank + 1;
});
const milliseconds = (performance.now() - started) / REQUESTS.length;

console.log(
  `${REQUESTS.length} requests over ${corpora.entries.length} skills, ${milliseconds.toFixed(2)} ms each`,
);
for (const depth of DEPTHS) {
  const share = ranks.filter((rank) => rank <= depth).length / ranks.length;
  console.log(`recall@${depth}: ${(share * 100).toFixed(1)} %`);
}
sql.close();
