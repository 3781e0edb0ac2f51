import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { installPeers } from './bench/install-peers.ts';
import { jsonLines, table } from './bench/report.ts';
import { type Figure, median, ratioOver } from './bench/statistics.ts';
import { writeSkills } from './bench/write-skills.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run bench:compile -- [--rounds N] [--json]

Compiles generated skills, beside the MCP SDK's loader over the very same folder in the same run.
  --rounds N   rounds, each with every case (default 5)
  --json       one JSON object a line on standard output, one for each budget
The SDK is installed into scripts/bench/peers when it is not there.`;

const [SOME, MANY] = [1_000, 10_000];
const Timing = z.object({ milliseconds: z.number(), skills: z.int() });

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) fatal(`--rounds ${values.rounds}: not a whole number from 1 on`);

const progress = progressLine(!values.json);
const folder = mkdtempSync(join(tmpdir(), 'skilledge-compile-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
installPeers(progress.show);
const [some, many, output] = [join(folder, 'some'), join(folder, 'many'), join(folder, 'bundle')];
writeSkills(some, SOME);
writeSkills(many, MANY);

interface Round {
  readonly peer: number;
  readonly cold: number;
  readonly unchanged: number;
  readonly many: number;
}
const measured: Round[] = [];
// One round before the others fills the page cache, and does not count.
for (let round = 0; round <= rounds; round += 1) {
  progress.show(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
  const peer = time('bench/peers/load-skills.mjs', some, SOME);
  const cold = compile(some, SOME);
  const unchanged = time('bench/compile-once.ts', some, SOME);
  const large = compile(many, MANY);
  if (round > 0) measured.push({ peer, cold, unchanged, many: large });
}
progress.end();

const figure = (id: string, budget: number, value: keyof Round, base: keyof Round): Figure => {
  const shown = (of: keyof Round): string => `${median(measured.map((round) => round[of])).toFixed(0)} ms`;
  return {
    id,
    ...ratioOver(measured.map((round) => [round[value], round[base]])),
    unit: 'times',
    budget,
    bound: 'at most',
    measured: shown(value),
    against: shown(base),
  };
};
const figures = [
  figure('compile-1000', 0.75, 'cold', 'peer'),
  figure('compile-unchanged', 0.3, 'unchanged', 'cold'),
  figure('compile-10000', 11, 'many', 'cold'),
];
if (values.json) for (const line of jsonLines(figures)) console.log(line);
else {
  console.log(table(figures));
  console.log(`
Wall time inside a fresh process each, modules loaded, page cache warm; ratios inside a round, median and spread of
${rounds}. The vocabulary that tokens are counted with is one of the modules: 0.14 s more, once for each build that compiles anything. compile-1000 is against the MCP SDK's loader over the same folder, the others against compile-1000.`);
}

/** A compile that finds nothing of an earlier one. */
function compile(directory: string, skills: number): number {
  rmSync(output, { recursive: true, force: true });
  return time('bench/compile-once.ts', directory, skills);
}

function time(script: string, directory: string, skills: number): number {
  const file = new URL(script, import.meta.url).pathname;
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, directory, output], {
    encoding: 'utf8',
  });
  if (status !== 0) fatal(`${script} failed: ${stderr}`);
  const timing = Timing.parse(JSON.parse(stdout));
  if (timing.skills !== skills) fatal(`${script} found ${timing.skills} of ${skills} skills`);
  return timing.milliseconds;
}
