import { createIndex } from '../../src/search/search-schema.ts';
import { indexSkill } from '../../src/search/index-skill.ts';
import { searchLayer } from '../../src/search/search-layer.ts';
import { SEARCHED_REPORT, skillTexts } from '../../src/search/skill-texts.ts';
import { REQUESTS } from '../../test/search/requests.ts';
import { compileCorpora } from './corpora-entries.ts';
import { nodeSql } from './node-sql.ts';

/** Ten repositories whose skills are not copies of each other's. */
export const CORPORA = [
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
const DEPTH = 10;

export interface Retrieval {
  readonly skills: number;
  readonly milliseconds: number;
  /** For each request: where the right skill stands, from 1; infinite where it is not among the first ten. */
  readonly ranks: readonly { readonly text: string; readonly skill: string; readonly rank: number }[];
}

/** Indexes the corpora with the very code of the search object, and asks every request; null without corpora. */
export async function measureRetrieval(root: string): Promise<Retrieval | null> {
  const corpora = await compileCorpora(root, CORPORA);
  if (!corpora) return null;
  const sql = nodeSql();
  createIndex(sql);
  for (const entry of corpora.entries) {
    const report = SEARCHED_REPORT.parse(new TextDecoder().decode(corpora.read(entry.report)));
    if (!report) throw new Error(`not a report: ${entry.name}`);
    indexSkill(sql, entry, skillTexts(report, corpora.read(entry.skillFile.sha256)), 1);
  }
  const names = new Set(corpora.entries.map(({ name }) => name));
  const unknown = REQUESTS.filter(([, skill]) => !names.has(skill));
  if (unknown.length > 0) throw new Error(`no such skills: ${unknown.map(([, skill]) => skill).join(', ')}`);
  const started = performance.now();
  const ranks = REQUESTS.map(([text, skill]) => {
    const { hits } = searchLayer(sql, { text, limit: DEPTH, hidden: [] });
    const index = hits.slice(0, DEPTH).findIndex(({ name }) => name === skill);
    return { text, skill, rank: index === -1 ? Number.POSITIVE_INFINITY : index + 1 };
  });
  const milliseconds = (performance.now() - started) / REQUESTS.length;
  sql.close();
  return { skills: corpora.entries.length, milliseconds, ranks };
}

/** The share of requests whose skill is among the first so many. */
export function recallAt(depth: number, { ranks }: Retrieval): number {
  return ranks.filter(({ rank }) => rank <= depth).length / ranks.length;
}
