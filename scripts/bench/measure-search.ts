import { LAYER } from './compile-tree.ts';
import { command } from './control-orders.ts';
import type { Organisation } from './organisations.ts';
import { anyWords, picker } from './random-words.ts';
import { type Figure, median, ratioOver } from './statistics.ts';

const QUERIES = 50;
const UPDATES = 200;
const TERMS = 4;

/**
 * Searches for four words in the index of an organisation, inside of its object, and beside it for the same words in bare
 * FTS5 over the same rows. Its clock stands still while it works, so all queries go there in one call that is timed
 * outside; then each goes alone, with the way there and back.
 */
export async function measureSearch(
  control: URL,
  { name, compiled }: Organisation,
  rounds: number,
  show: (text: string) => void,
): Promise<Figure[]> {
  const random = picker(1_000_000);
  const texts = Array.from({ length: QUERIES }, () => anyWords(random, TERMS));
  const timed = async (asked: readonly string[], bare: boolean): Promise<number> => {
    const started = performance.now();
    const where = { organisation: name, layer: LAYER };
    const { found } = await command(control, { ...where, order: 'search', texts: [...asked], bare });
    const milliseconds = performance.now() - started;
    if (found.length !== asked.length || found.some((count) => count === 0))
      throw new Error('search: a text with words of the skills found none of them');
    return milliseconds;
  };
  // Once through, so that the timed rounds find everything compiled.
  for (const bare of [true, false]) await timed(texts, bare);
  const together: { own: number; bare: number }[] = [];
  const alone = texts.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    show(`searching: round ${round + 1} of ${rounds}`);
    const bareFirst = round % 2 === 0 ? await timed(texts, true) : null;
    const own = await timed(texts, false);
    together.push({ own: own / QUERIES, bare: (bareFirst ?? (await timed(texts, true))) / QUERIES });
    for (const [at, text] of texts.entries()) alone[at]?.push(await timed([text], false));
  }
  const { entries } = compiled.head;
  const milliseconds = (of: 'own' | 'bare'): number => median(together.map((round) => round[of]));
  // A query that goes alone is short, and what the machine does besides is not: its time is the least of its rounds.
  const times = alone.map((rounds) => Math.min(...rounds));
  return [
    {
      id: 'search-query',
      value: Math.max(...times),
      spread: [Math.min(...times), Math.max(...times)],
      unit: 'ms',
      budget: 25,
      bound: 'at most',
      measured: `the slowest of ${QUERIES} queries, ${TERMS} words, ${entries} skills`,
      against: `${milliseconds('own').toFixed(1)} ms on average`,
    },
    {
      id: 'search-bare-fts5',
      ...ratioOver(together.map(({ own, bare }) => [own, bare])),
      unit: 'times',
      budget: 1.5,
      bound: 'at most',
      measured: `${milliseconds('own').toFixed(2)} ms a query`,
      against: `${milliseconds('bare').toFixed(2)} ms in bare FTS5`,
    },
  ];
}

/**
 * What a publish of one skill is to the index of an organisation with few skills and of one with many: its rows are taken
 * out and put in. Afterwards the rows no longer say which shard they are of, so that nothing can be measured after this.
 */
export async function measureIndexing(
  control: URL,
  { few, many }: { readonly few: Organisation; readonly many: Organisation },
  rounds: number,
  show: (text: string) => void,
): Promise<Figure> {
  const update = async ({ name, compiled }: Organisation, round: number): Promise<number> => {
    const skills = Array.from({ length: UPDATES }, (_, at) => {
      const entry = compiled.entries[((round * UPDATES + at) * 7_919) % compiled.entries.length];
      if (!entry) throw new Error('an organisation without skills');
      return { entry, texts: { tags: [], headings: entry.description }, shard: 1 };
    });
    const started = performance.now();
    await command(control, { order: 'index', organisation: name, layer: LAYER, skills });
    return (performance.now() - started) / UPDATES;
  };
  const pairs: [number, number][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    show(`updating the search index: round ${round} of ${rounds}`);
    const fewFirst = round % 2 === 0 ? await update(few, round) : null;
    const own = await update(many, round);
    const pair: [number, number] = [own, fewFirst ?? (await update(few, round))];
    // One round before the others finds everything compiled, and does not count.
    if (round > 0) pairs.push(pair);
  }
  const shown = (at: 0 | 1, { compiled }: Organisation): string =>
    `${median(pairs.map((pair) => pair[at])).toFixed(2)} ms a skill, ${compiled.head.entries} skills`;
  return {
    id: 'search-update-growth',
    ...ratioOver(pairs),
    unit: 'times',
    budget: 1.25,
    bound: 'at most',
    measured: shown(0, many),
    against: shown(1, few),
  };
}
