import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Layer } from '../src/catalog/layers.ts';
import { TOKENIZER } from '../src/catalog/token-counts.ts';
import { LISTING_LIMITS } from '../src/core/limits.ts';
import { isWindows, platformName } from '../src/format/requires/platform-name.ts';
import { projectPath } from '../src/listing/project-path.ts';
import {
  canCount,
  fitToWindow,
  type LayoutName,
  LISTING_UNITS,
  type ListingWishes,
  mergeListing,
  NO_WISHES,
  PROFILE_NAMES,
} from '../src/view/listing/list-skills.ts';
import { coverageBars, figuresTable, usedLine } from './lib/listing-figures.ts';
import { memoryView } from './lib/memory-view.ts';
import { loadTokenCounter } from './lib/token-counter.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run listing -- --source DIR [--source LAYER=DIR ...] [--context-window N] [--table]
                   [--format FORMAT] [--profile NAME] [--audience WHO] [--query TEXT] [--path PATH ...]
                   [--platform NAME] [--unit UNIT]

Shows what an agent would be shown of some folders of skills, and what became of each skill. Nothing is written.
  --source DIR        a folder with skills at any depth, as the layer org or as the one that stands before a =
  --context-window N  tokens of the model's window (default: unknown, 8,000 characters)
  --table             only figures, for windows of 8k, 32k, 128k, 200k and 1M tokens
  --format FORMAT     text (default), xml or reminder
  --profile NAME      ${PROFILE_NAMES.join(', ')}: other systems' arithmetic, for comparison
  --audience WHO      model (default) or user
  --query TEXT        what is to be done: skills about it keep their text
  --path PATH         a touched path, for skills that wait for one
  --platform NAME     macos (or darwin), linux, windows: for skills that run only there
  --unit UNIT         what the budget is in: characters (default), tokens (four bytes each) or counted (tokens of ${TOKENIZER})`;

const WINDOWS = [8_000, 32_000, 128_000, 200_000, 1_000_000];
const LAYOUTS: Readonly<Record<string, LayoutName>> = { text: 'lines', xml: 'xml', reminder: 'reminder' };

const values = readWords();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const contextWindow = values['context-window'] === undefined ? null : readWindow(values['context-window']);
const wishes = readWishes();
const sources = values.source.map(readSource);
if (sources.length === 0) fatal('nothing to list: npm run listing -- --source DIR; --help says the rest');
const repeated = sources.find(({ layer }, at) => sources.findIndex((other) => other.layer === layer) !== at);
if (repeated)
  fatal(`the layer ${repeated.layer} has two sources: give each a layer of its own, --source LAYER=DIR`);

const progress = progressLine(true);
const counter = wishes.unit === 'counted' ? await loadTokenCounter() : null;
const { view, blobs } = await memoryView(
  sources,
  (done, all) => progress.show(`${done}/${all} skills`),
  counter,
);
progress.end();
const merged = await mergeListing(blobs, view);
if (!merged) fatal('the skills were compiled to something that cannot be read: this is a fault of Skilledge');
if (values.table) {
  console.log(figuresTable(WINDOWS.map((window) => fitToWindow(view, merged, window, wishes))));
} else {
  const listing = fitToWindow(view, merged, contextWindow, wishes);
  if (listing.text !== '') console.log(`${listing.text.trimEnd()}\n`);
  console.log(usedLine(listing));
  console.log(coverageBars(listing));
}

function readWords() {
  try {
    return parseArgs({
      options: {
        source: { type: 'string', multiple: true, default: [] },
        'context-window': { type: 'string' },
        table: { type: 'boolean', default: false },
        format: { type: 'string', default: 'text' },
        profile: { type: 'string', default: 'skilledge' },
        audience: { type: 'string', default: 'model' },
        query: { type: 'string', default: '' },
        path: { type: 'string', multiple: true, default: [] },
        platform: { type: 'string' },
        unit: { type: 'string', default: 'characters' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return fatal(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function readSource(text: string): { layer: Layer; directory: string } {
  const layer = Layer.safeParse(text.slice(0, Math.max(0, text.indexOf('='))));
  const source = layer.success
    ? { layer: layer.data, directory: text.slice(text.indexOf('=') + 1) }
    : { layer: 'org', directory: text };
  if (!statSync(source.directory, { throwIfNoEntry: false })?.isDirectory())
    fatal(`--source ${text}: no folder ${source.directory}`);
  return source;
}

function readWindow(text: string): number {
  const tokens = Number(text);
  return Number.isInteger(tokens) && tokens >= 1 && tokens <= LISTING_LIMITS.contextWindowTokens
    ? tokens
    : fatal(`--context-window ${text}: not a number of tokens`);
}

function readWishes(): ListingWishes {
  const { format, audience, query, path, platform } = values;
  const host = platform === undefined ? null : platformName(platform);
  const profile = PROFILE_NAMES.find((name) => name === values.profile);
  const unit = LISTING_UNITS.find((name) => name === values.unit);
  const layout = Object.hasOwn(LAYOUTS, format) ? LAYOUTS[format] : undefined;
  if (!profile) return fatal(`--profile ${values.profile}: not one of ${PROFILE_NAMES.join(', ')}`);
  if (!layout) return fatal(`--format ${format}: not one of ${Object.keys(LAYOUTS).join(', ')}`);
  if (!unit) return fatal(`--unit ${values.unit}: not one of ${LISTING_UNITS.join(', ')}`);
  if (profile !== 'skilledge' && unit !== 'characters')
    return fatal(`--unit ${unit}: the profile ${profile} has its own`);
  if (unit === 'counted' && !canCount(layout)) return fatal('--unit counted: not in the format xml');
  if (audience !== 'model' && audience !== 'user')
    return fatal(`--audience ${audience}: neither model nor user`);
  return {
    ...NO_WISHES,
    audience,
    paths: path.flatMap((each) => projectPath(each, null, null, isWindows(host)) ?? []),
    platform: host,
    query,
    layout,
    profile,
    unit,
  };
}
