import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childNamed, cpuMicroseconds } from './bench/cpu-time.ts';
import { jsonLines, table } from './bench/report.ts';
import { startRuns } from './bench/start-runs.ts';
import { type Figure, median, ratioOver } from './bench/statistics.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run bench:runs -- [--rounds N] [--requests N] [--json]

Runs with a model that answers at once, beside bare objects that do no more than they cannot do without, all of them new,
in one workerd process.
  --rounds N     rounds, each with everything (default 7)
  --requests N   requests of each kind in a round (default 100)
  --json         one JSON object a line on standard output, one for each budget`;

const AT_ONCE = 50;
/** What follows an accepted run is not what accepting it costs. */
const KINDS = [
  { what: 'accept', budget: 1.5, unit: 'time', against: 'a new object that writes a row' },
  { what: 'turns', budget: 1.5, unit: 'cpu', against: 'row, alarm and timer of five turns' },
  { what: 'stream', budget: 2.5, unit: 'cpu', against: '20 events that nobody keeps' },
] as const;
type Kind = (typeof KINDS)[number];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [rounds, requests] = [wholeNumber('rounds', values.rounds), wholeNumber('requests', values.requests)];
const progress = progressLine(!values.json);
const folder = mkdtempSync(join(tmpdir(), 'skilledge-runs-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

progress.show('bundling the worker');
const { url, stop } = await startRuns(folder);
try {
  const workerd = childNamed('workerd');
  for (const { what } of KINDS) for (const side of ['floor', 'run']) await ask(`/${side}/${what}`);
  const figures: Figure[] = [];
  for (const kind of KINDS) figures.push(await measure(kind, workerd));
  const begun = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask('/run/turns')));
  const milliseconds = performance.now() - begun;
  progress.end();
  if (values.json) for (const line of jsonLines(figures)) console.log(line);
  else
    console.log(
      `${table(figures)}\n\n${AT_ONCE} runs of five turns at once: all ended in ${milliseconds.toFixed(0)} ms.`,
    );
} finally {
  await stop();
}

async function measure({ what, budget, unit, against }: Kind, workerd: number): Promise<Figure> {
  const samples: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress.show(`${what}: round ${round + 1} of ${rounds}`);
    const sample = async (side: 'floor' | 'run'): Promise<number> => {
      const before = cpuMicroseconds(workerd);
      const times: number[] = [];
      for (let request = 0; request < requests; request += 1) {
        const begun = performance.now();
        await ask(`/${side}/${what}`);
        times.push(performance.now() - begun);
        if (unit === 'time') await pause();
      }
      return unit === 'time' ? median(times) * 1_000 : (cpuMicroseconds(workerd) - before) / requests;
    };
    const floorFirst = round % 2 === 0 ? await sample('floor') : null;
    const own = await sample('run');
    samples.push([own, floorFirst ?? (await sample('floor'))]);
  }
  const shown = (at: 0 | 1): string => `${median(samples.map((pair) => pair[at])).toFixed(0)} us`;
  return {
    id: `run-${what}`,
    ...ratioOver(samples),
    unit: 'times',
    budget,
    bound: 'at most',
    measured: `${shown(0)} (${unit === 'time' ? 'time' : 'CPU'})`,
    against: `${shown(1)}: ${against}`,
  };
}

/** A wrong answer is an error, and a slow one is not. */
async function ask(path: string): Promise<void> {
  const response = await fetch(new URL(path, url));
  const text = await response.text();
  const right = path.endsWith('/stream') ? text.split('\ndata: ').length > 20 : text === 'ok';
  if (!right) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
}

/** For what an accepted run does behind its answer. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 15));
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0
    ? value
    : fatal(`--${name} ${text}: not a whole number from 1 on`);
}
