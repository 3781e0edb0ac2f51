import { cpuMicroseconds } from './cpu-time.ts';
import { applyLoad } from './load.ts';
import { type Figure, median, ratioOver } from './statistics.ts';
import { type Target, verify } from './targets.ts';

const WARM_UP_SECONDS = 1;

interface Sample {
  /** CPU time of the whole workerd process for one request. */
  readonly microseconds: number;
  readonly requestsPerSecond: number;
}

/** What each target did in each round. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/**
 * Puts load on every target once a round, beginning with another one each time, so that what else the machine does weighs
 * on all of them.
 */
export async function measureLoad(
  targets: readonly Target[],
  workerd: number,
  options: { readonly rounds: number; readonly seconds: number },
  show: (text: string) => void,
): Promise<Samples> {
  for (const target of targets) {
    show(`warming up ${target.id}`);
    await sample(target, workerd, WARM_UP_SECONDS);
  }
  const samples = new Map(targets.map(({ id }): [string, Sample[]] => [id, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    const first = round % targets.length;
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      show(`round ${round + 1} of ${options.rounds}: ${target.id}`);
      samples.get(target.id)?.push(await sample(target, workerd, options.seconds));
    }
  }
  return samples;
}

async function sample(target: Target, workerd: number, seconds: number): Promise<Sample> {
  await verify(target);
  const before = cpuMicroseconds(workerd);
  const load = await applyLoad(target.call, seconds, target.expected);
  const used = cpuMicroseconds(workerd) - before;
  await verify(target);
  return { microseconds: used / load.requests, requestsPerSecond: load.requests / load.seconds };
}

/** One target beside another of the same rounds. */
export interface Comparison extends Pick<Figure, 'id' | 'budget'> {
  readonly target: string;
  readonly base: string;
  /** CPU time is to be at most so many times the base's, throughput at least. */
  readonly by: 'CPU time' | 'throughput';
}

/** What can be said of targets that were measured; a comparison with one that was not is left out. */
export function compare(samples: Samples, comparisons: readonly Comparison[]): Figure[] {
  return comparisons.flatMap(({ id, target, base, by, budget }): Figure[] => {
    const [own, other] = [samples.get(target), samples.get(base)];
    if (!own || !other) return [];
    const value = by === 'CPU time' ? cpuTime : throughput;
    const pairs = own.flatMap((one, round): [number, number][] => {
      const beside = other[round];
      return beside ? [[value(one), value(beside)]] : [];
    });
    const shown = (all: readonly Sample[]): string =>
      `${median(all.map(cpuTime)).toFixed(0)} us, ${median(all.map(throughput)).toFixed(0)}/s`;
    return [
      {
        id,
        ...ratioOver(pairs),
        unit: 'times',
        budget,
        bound: by === 'CPU time' ? 'at most' : 'at least',
        measured: shown(own),
        against: `${base} ${shown(other)}`,
      },
    ];
  });
}

function cpuTime({ microseconds }: Sample): number {
  return microseconds;
}

function throughput({ requestsPerSecond }: Sample): number {
  return requestsPerSecond;
}
