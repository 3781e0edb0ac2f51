import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childNamed, cpuMicroseconds } from './bench/cpu-time.ts';
import { USUAL_SHAPE } from './bench/generate-skills.ts';
import { installPeers } from './bench/install-peers.ts';
import { openKvFile } from './bench/kv-file.ts';
import { COLD_REQUESTS, COLD_WARM_UPS, measureCold } from './bench/measure-cold.ts';
import { compare, type Comparison, measureLoad } from './bench/measure-load.ts';
import { measurePublish } from './bench/measure-publish.ts';
import { measureIndexing, measureSearch } from './bench/measure-search.ts';
import {
  announceOrganisation,
  pushOrganisation,
  seedListing,
  seedOrganisation,
  type SeededOrganisation,
} from './bench/organisations.ts';
import { jsonLines, table } from './bench/report.ts';
import { startWorkerd, STORES, type Workerd } from './bench/start-workerd.ts';
import type { Figure } from './bench/statistics.ts';
import {
  BESIDE_PEERS,
  growth,
  growthTargets,
  helloTarget,
  invokeTargets,
  objectTarget,
  peerTargets,
  type Target,
  WARM,
  warmTargets,
} from './bench/targets.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run bench -- [--rounds N] [--seconds S] [--scale N] [--without PART ...] [--json]

Measures, in one workerd process: warm requests against a bare Hono worker (and an object that writes a row), and against the MCP SDK's skills extension
and Cloudflare's agents/skills over the same 1,000 skills; then what becomes of listings, bodies, cold listings, search and
publishing where there are 100,000 skills. Takes about ten minutes.
  --rounds N      rounds, each with everything (default 7)
  --seconds S     load on each target in each round (default 2)
  --scale N       skills of the large organisation (default 100000, at least 1000)
  --without PART  leaves out peers or scale; may be repeated
  --json          one JSON object a line on standard output, one for each budget
The peers are installed into scripts/bench/peers when they are not there.
A budget that is not met is reported and is no error; a wrong answer is.`;

const PARTS = ['peers', 'scale'];
const [FEW, USUAL] = [10, 1_000];
/** Bodies as short as one can be that says something: 100,000 usual ones would fill a gigabyte. */
const SHORT_SHAPE = { bodyCharacters: 600 };

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    scale: { type: 'string', default: '100000' },
    without: { type: 'string', multiple: true, default: [] },
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
const scale = wholeNumber('scale', values.scale);
if (scale < USUAL) fatal(`--scale ${scale}: fewer than ${USUAL}`);
for (const part of values.without)
  if (!PARTS.includes(part)) fatal(`--without ${part}: none of ${PARTS.join(', ')}`);
const [peers, large] = [!values.without.includes('peers'), !values.without.includes('scale')];

const progress = progressLine(!values.json);
const { show } = progress;
const folder = mkdtempSync(join(tmpdir(), 'skilledge-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
let workerd: Workerd | null = null;
try {
  cpuMicroseconds(process.pid); // Where this cannot be read, say so before anything is built.
  if (peers) installPeers(show);
  const state = join(folder, 'state');
  const stores = large ? await seedStores(state) : null;
  show('bundling the workers');
  workerd = await startWorkerd(folder, { state, peers, skills: USUAL });
  const figures = await measureAll(workerd, childNamed('workerd'), stores);
  progress.end();
  if (values.json) for (const line of jsonLines(figures)) console.log(line);
  else console.log(`${table(figures)}\n\n${explanation()}`);
} catch (error) {
  progress.end();
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await workerd?.stop();
}

/** What two deployments hold before they are started. */
interface Stores {
  readonly many: SeededOrganisation;
  /** Of organisations that nobody has asked for. */
  readonly coldTokens: { readonly large: readonly string[]; readonly small: readonly string[] };
}

async function seedStores(state: string): Promise<Stores> {
  const [product, small] = [await openKvFile(state, STORES.product), await openKvFile(state, STORES.small)];
  const many = await seedOrganisation(product, 'bench-many', scale, SHORT_SHAPE, show);
  const held = await seedOrganisation(small, 'bench-held', USUAL, SHORT_SHAPE, show);
  const cold = Array.from(
    { length: (rounds + COLD_WARM_UPS) * COLD_REQUESTS },
    (_, at) => `bench-cold-${at}`,
  );
  const coldTokens = {
    large: cold.map((name) => seedListing(product, name, held.compiled)),
    small: cold.map((name) => seedListing(small, name, held.compiled)),
  };
  product.close();
  small.close();
  return { many, coldTokens };
}

async function measureAll(deployment: Workerd, id: number, stores: Stores | null): Promise<Figure[]> {
  const { urls } = deployment;
  const usual = await pushOrganisation(deployment, 'bench', USUAL, USUAL_SHAPE, show);
  const using = await pushOrganisation(deployment, 'bench-using', USUAL, USUAL_SHAPE, show);
  const targets: Target[] = [
    await helloTarget(urls.hello),
    await objectTarget(urls.hello),
    ...(await warmTargets(urls.product, usual)),
    ...(await invokeTargets(urls.product, using)),
  ];
  const comparisons: Comparison[] = [...WARM];
  if (peers) {
    targets.push(...(await peerTargets(urls.mcp, urls.agents, USUAL)));
    comparisons.push(...BESIDE_PEERS);
  }
  if (stores) {
    await announceOrganisation(deployment, stores.many, show);
    const few = await pushOrganisation(deployment, 'bench-few', FEW, SHORT_SHAPE, show);
    for (const one of [few, stores.many]) targets.push(...(await growthTargets(urls.product, one)));
    comparisons.push(...growth(FEW, scale));
  }
  const figures = compare(await measureLoad(targets, id, { rounds, seconds }, show), comparisons);
  if (stores) {
    const [own, base] = [
      { product: urls.product, tokens: stores.coldTokens.large, skills: scale },
      { product: urls.small, tokens: stores.coldTokens.small, skills: USUAL },
    ];
    figures.push(await measureCold({ large: own, small: base }, id, rounds, show));
    figures.push(...(await measureSearch(urls.control, stores.many, rounds, show)));
    const short = await pushOrganisation(deployment, 'bench-short', USUAL, SHORT_SHAPE, show);
    const sizes = { few: short, many: stores.many };
    figures.push(await measurePublish(deployment, sizes, id, rounds, show));
    figures.push(await measureIndexing(urls.control, sizes, rounds, show));
  }
  return figures;
}

function explanation(): string {
  const lines = [
    `CPU time is user and system time of the one workerd process a request, with 16 connections on direct sockets. Figures are`,
    `taken inside a round, beside what they are compared with: the median, the least and the most of ${rounds} rounds.`,
  ];
  lines.push(
    'invoke-session: an agent that has the skill already; object-write: a call of an object that writes a row.',
  );
  if (peers)
    lines.push(
      `listing-mcp-sdk: the first page of skills/list (100 of ${USUAL} skills), the catalog loaded once and in memory.`,
      `listing-agents: loadSkillCatalog over a manifest in memory and prompt(), as before each turn of an agent. Throughput;`,
      'neither peer is asked for a token, and both serve the same skills.',
    );
  if (large)
    lines.push(
      `cold-listing-growth: first requests of organisations with ${USUAL} skills, nothing of theirs in memory, the code warm.`,
      'search: in the object, against bare FTS5 over the same rows; search-query is the slowest query, each at its best.',
      'publish-growth: a push of one changed skill, with the copies and the search index that follow; search-update-growth:',
      'of that, the rows of the index.',
    );
  if (rounds < 7) lines.push('Fewer than seven rounds are a look, not a measurement.');
  return lines.join('\n');
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0
    ? value
    : fatal(`--${name} ${text}: not a whole number from 1 on`);
}
