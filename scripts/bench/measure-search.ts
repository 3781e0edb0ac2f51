import { LAYER } from './compile-tree.ts';
import { command } from './control-orders.ts';
import type { Organisation } from './organisations.ts';
import { anyWords, picker } from './random-words.ts';
import { type Figure, median, middle, ratioOver } from './statistics.ts';

const QUERIES = 100;
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
  const slowest = alone.map((times) => middle(times)).toSorted((left, right) => right.value - left.value)[0];
  if (!slowest) throw new Error('search: no queries');
  return [
    {
      id: 'search-slowest-query',
      ...slowest,
      unit: 'ms',
      budget: 25,
      bound: 'at most',
      measured: `of ${QUERIES} queries of ${TERMS} words, ${entries} skills`,
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
