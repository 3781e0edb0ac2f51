import { cpuMicroseconds } from './cpu-time.ts';
import { applyLoad } from './load.ts';
import { median, type Ratio, ratioOver } from './statistics.ts';
import { type Target, verify } from './targets.ts';

const WARM_UP_SECONDS = 1;

/** CPU time a request, over that of hello in the same round. */
export interface Measurement extends Ratio {
  readonly microseconds: number;
  readonly requestsPerSecond: number;
}

interface Sample {
  readonly microseconds: number;
  readonly requestsPerSecond: number;
}

/**
 * Measures every target once a round, beginning with another one each time, and compares it with the first (hello) of
 * the same round only: what else the machine does then weighs on both.
 */
export async function measure(
  targets: readonly Target[],
  workerd: number,
  options: { readonly rounds: number; readonly seconds: number },
  progress: (text: string) => void,
): Promise<Measurement[]> {
  for (const target of targets) {
    progress(`warming up ${target.id}`);
    await sample(target, workerd, WARM_UP_SECONDS);
  }
  const rounds: Sample[][] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const samples: Sample[] = [];
    for (let turn = 0; turn < targets.length; turn += 1) {
      const index = (round + turn) % targets.length;
      const target = targets[index];
      if (!target) continue;
      progress(`round ${round + 1} of ${options.rounds}: ${target.id}`);
      samples[index] = await sample(target, workerd, options.seconds);
    }
    rounds.push(samples);
  }
  return targets.map(({ id, budget }, index) => {
    const own = rounds.flatMap((samples) => samples[index] ?? []);
    const pairs = rounds.flatMap(([hello, ...rest]): [number, number][] => {
      const one = [hello, ...rest][index];
      return hello && one ? [[one.microseconds, hello.microseconds]] : [];
    });
    return {
      ...ratioOver(id, budget, pairs),
      microseconds: median(own.map((one) => one.microseconds)),
      requestsPerSecond: median(own.map((one) => one.requestsPerSecond)),
    };
  });
}

async function sample(target: Target, workerd: number, seconds: number): Promise<Sample> {
  await verify(target);
  const before = cpuMicroseconds(workerd);
  const load = await applyLoad(target.call, seconds, target.expected);
  const used = cpuMicroseconds(workerd) - before;
  await verify(target);
  return { microseconds: used / load.requests, requestsPerSecond: load.requests / load.seconds };
}
