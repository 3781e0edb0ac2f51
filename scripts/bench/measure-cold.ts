import { cpuMicroseconds } from './cpu-time.ts';
import { exchange } from './exchange.ts';
import { type Figure, median, ratioOver } from './statistics.ts';
import { isListing, listingCall } from './targets.ts';

/** Requests of one round, each for an organisation that this process has never heard of. */
export const COLD_REQUESTS = 15;
/** The first round on each side fills the caches of the machine, and does not count. */
export const COLD_WARM_UPS = 1;

/** A deployment, and tokens of organisations with the same skills that nobody has asked for yet. */
export interface ColdStore {
  readonly product: URL;
  readonly tokens: readonly string[];
  readonly skills: number;
}

interface Sample {
  readonly microseconds: number;
  readonly milliseconds: number;
}

/** The first listing of an organisation in two deployments of one process, one of which holds much more for others. */
export async function measureCold(
  { large, small }: { readonly large: ColdStore; readonly small: ColdStore },
  workerd: number,
  rounds: number,
  show: (text: string) => void,
): Promise<Figure> {
  const samples: [Sample, Sample][] = [];
  for (let round = 0; round < rounds + COLD_WARM_UPS; round += 1) {
    show(`cold listings: round ${round} of ${rounds}`);
    const measure = (store: ColdStore): Promise<Sample> => {
      const start = round * COLD_REQUESTS;
      return askOnce({ ...store, tokens: store.tokens.slice(start, start + COLD_REQUESTS) }, workerd);
    };
    const smallFirst = round % 2 === 0 ? await measure(small) : null;
    const own = await measure(large);
    const pair: [Sample, Sample] = [own, smallFirst ?? (await measure(small))];
    if (round >= COLD_WARM_UPS) samples.push(pair);
  }
  const shown = (of: (pair: [Sample, Sample]) => Sample): string =>
    `${median(samples.map((pair) => of(pair).microseconds)).toFixed(0)} us, ` +
    `${median(samples.map((pair) => of(pair).milliseconds)).toFixed(1)} ms`;
  return {
    id: 'cold-listing-growth',
    ...ratioOver(samples.map(([own, base]) => [own.microseconds, base.microseconds])),
    unit: 'times',
    budget: 1.25,
    bound: 'at most',
    measured: `${shown(([own]) => own)} of ${large.skills} skills`,
    against: `${shown(([, base]) => base)} of ${small.skills}`,
  };
}

async function askOnce({ product, tokens }: ColdStore, workerd: number): Promise<Sample> {
  if (tokens.length < COLD_REQUESTS) throw new Error('too few organisations for cold listings');
  const before = cpuMicroseconds(workerd);
  const times: number[] = [];
  for (const token of tokens) {
    const started = performance.now();
    const { status, body } = await exchange(listingCall(product, { Authorization: `Bearer ${token}` }));
    times.push(performance.now() - started);
    if (status !== 200 || !isListing(body)) throw new Error(`cold listing: ${status} ${body.slice(0, 300)}`);
  }
  return {
    microseconds: (cpuMicroseconds(workerd) - before) / tokens.length,
    milliseconds: median(times),
  };
}
