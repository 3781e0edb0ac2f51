import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tokenKey } from '../src/store/keys.ts';
import { newToken, type TokenRecord } from '../src/view/token.ts';
import { childNamed, cpuMicroseconds } from './bench/cpu-time.ts';
import { generateSkills } from './bench/generate-skills.ts';
import { measure } from './bench/measure.ts';
import { jsonLines, table } from './bench/report.ts';
import { startWorkerd, type Workerd } from './bench/start-workerd.ts';
import { prepareTargets } from './bench/targets.ts';
import { buildBundle } from './lib/build-bundle.ts';
import { openBundle } from './lib/bundle.ts';
import { pushLayer } from './lib/push-bundle.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run bench -- [--rounds N] [--seconds S] [--skills N] [--json]

Measures the CPU time of warm requests against a bare Hono worker in the same workerd process.
  --rounds N    rounds, each with every target (default 7)
  --seconds S   load on each target in each round (default 2)
  --skills N    generated skills in the catalog (default 1000)
  --json        one JSON object a line on standard output, one for each budget
A budget that is not met is reported and is no error; a wrong answer is.`;

const ORGANISATION = 'bench';
const LAYER = 'org';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    skills: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const rounds = wholeNumber('rounds', values.rounds);
const seconds = wholeNumber('seconds', values.seconds);
const skills = wholeNumber('skills', values.skills);

const progress = progressLine(!values.json);
const folder = mkdtempSync(join(tmpdir(), 'skilledge-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
let workerd: Workerd | null = null;
try {
  cpuMicroseconds(process.pid); // Where this cannot be read, say so before anything is built.
  progress.show('bundling the worker');
  workerd = await startWorkerd(folder);
  const token = newToken(ORGANISATION, { development: false });
  const record: TokenRecord = {
    version: 1,
    organisation: ORGANISATION,
    label: 'bench',
    scopes: ['skills:read', 'skills:invoke', 'layers:push'],
    layers: null,
    expiresAt: null,
  };
  await workerd.putKv(tokenKey(token.hash), JSON.stringify(record));
  const names = generateSkills(join(folder, 'skills'), skills);
  await seed(workerd, token.text, join(folder, 'skills'), join(folder, 'bundle'));
  const targets = await prepareTargets(
    workerd.product,
    workerd.hello,
    token.text,
    names[Math.floor(skills / 2)] ?? '',
  );
  const measurements = await measure(targets, childNamed('workerd'), { rounds, seconds }, progress.show);
  progress.end();
  if (values.json) for (const line of jsonLines(measurements)) console.log(line);
  else {
    console.log(
      table(measurements, {
        'CPU us/request': ({ microseconds }) => microseconds.toFixed(0),
        'requests/s': ({ requestsPerSecond }) => requestsPerSecond.toFixed(0),
      }),
    );
    console.log(`
CPU time (user and system) of the one workerd process over the requests it answered, with 16 connections on direct
sockets and ${skills} skills; ratios are to hello in the same round, median and spread of ${rounds} rounds of ${seconds} s.`);
    if (rounds < 7) console.log('Fewer than seven rounds are a look, not a measurement.');
  }
} catch (error) {
  progress.end();
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await workerd?.stop();
}

async function seed(target: Workerd, token: string, source: string, output: string): Promise<void> {
  progress.show('compiling the skills');
  await buildBundle([{ layer: LAYER, directory: source }], output, []);
  const bundle = openBundle(output);
  for (const layer of bundle.layers) {
    await pushLayer(bundle, layer, { url: target.product, token }, (done, all) =>
      progress.show(`pushing ${done} of ${all} blobs`),
    );
  }
  bundle.close();
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0
    ? value
    : fatal(`--${name} ${text}: not a whole number from 1 on`);
}
