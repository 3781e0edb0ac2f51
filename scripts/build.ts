import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { Layer, layerKind } from '../src/catalog/layers.ts';
import { PrecedenceName } from '../src/catalog/precedence.ts';
import { formatDiagnostic } from '../src/format/diagnostic.ts';
import { buildBundle, buildSummary } from './lib/build-bundle.ts';
import { discover, managedFolders } from './lib/sources/discover.ts';
import type { SourcePlan } from './lib/sources/source-plan.ts';
import { readSourcesFile, type SourceSettings } from './lib/sources/sources-file.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run build -- [--source LAYER=DIR ...] [--sources FILE] [--discover [DIR]] [--out DIR] [--ignore GLOB ...]
                 [--flag NAME ...] [--precedence NAME] [--no-bundled] [--json] [--strict]

Compiles skills/ (layer "bundled") and every other source into one content-addressed bundle.
  --source LAYER=DIR  another layer: org, user:ID, project:ID, plugin:NAME or mcp:SERVER
  --sources FILE      sources, layouts, states and flags from a file (skilledge.yaml)
  --discover [DIR]    what an agent in DIR (default: here) would find: managed, user and project folders, DIR upward
  --out DIR           where the bundle is written (default dist/bundle)
  --ignore GLOB       leave out matching paths
  --flag NAME         load the skills that wait for this flag
  --precedence NAME   ${PrecedenceName.options.join(', ')}: who keeps a name inside one layer
  --no-bundled        do not compile skills/
  --json              one JSON object on standard output; remarks of severity error on standard error
  --strict            exit 1 when anything did not load`;

const { values } = parseArgs({
  args: withDefaultFolder(process.argv.slice(2)),
  options: {
    source: { type: 'string', multiple: true, default: [] },
    sources: { type: 'string' },
    discover: { type: 'string' },
    out: { type: 'string', default: 'dist/bundle' },
    ignore: { type: 'string', multiple: true, default: [] },
    flag: { type: 'string', multiple: true, default: [] },
    precedence: { type: 'string' },
    'no-bundled': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const named = values.source.map(readSource);
const repeated = named.find(
  ({ layer }, index) => named.findIndex((other) => other.layer === layer) !== index,
);
if (repeated)
  fatal(`the layer ${repeated.layer} has two sources; name several folders of one layer with --sources FILE`);
const file = values.sources === undefined ? null : readFile(values.sources);
const found = values.discover === undefined ? [] : discoverAt(values.discover);
const others = [...named, ...(file?.sources ?? []), ...found];
const bundled: SourcePlan[] =
  values['no-bundled'] || others.some(({ layer }) => layerKind(layer) === 'bundled')
    ? []
    : [{ layer: 'bundled', directory: 'skills' }];

const progress = progressLine(!values.json);
const result = await buildBundle(
  [...bundled, ...others],
  values.out,
  values.ignore,
  (layer, done, all) => progress.show(`${layer}: ${done}/${all} skills`),
  {
    precedence: readPrecedence(values.precedence) ?? file?.precedence ?? 'skilledge',
    choices: { flags: [...values.flag, ...(file?.flags ?? [])], skills: file?.skills ?? {} },
  },
);
progress.end();
const summary = buildSummary(result);
for (const layer of result.layers) {
  for (const entry of layer.diagnostics) {
    if (entry.severity === 'error' || (entry.severity === 'warning' && !values.json)) {
      console.error(`${layer.layer} ${formatDiagnostic(entry)}`);
    }
  }
}
if (values.json) console.log(JSON.stringify(summary));
else {
  for (const [key, value] of Object.entries(summary))
    console.log(`${key}: ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  console.log(`written to ${values.out}; every remark is in ${values.out}/diagnostics.txt`);
}
if (values.strict && result.layers.some((layer) => layer.notLoaded.length > 0)) process.exitCode = 1;

function readSource(text: string): SourcePlan {
  const separator = text.indexOf('=');
  const layer = Layer.safeParse(text.slice(0, Math.max(0, separator)));
  const directory = text.slice(separator + 1);
  if (separator === -1 || !layer.success)
    fatal(`--source ${text}: write LAYER=DIR, for instance org=./our-skills`);
  requireFolder(`--source ${text}`, directory);
  return { layer: layer.data, directory };
}

function readFile(path: string): SourceSettings {
  const read = readSourcesFile(path);
  return read.ok ? read.value : fatal(read.error.join('\n'));
}

function discoverAt(directory: string): SourcePlan[] {
  requireFolder('--discover', directory);
  return discover({
    directory,
    home: homedir(),
    user: userInfo().username,
    codexHome: process.env['CODEX_HOME'],
    managed: managedFolders(process.platform),
  });
}

function requireFolder(option: string, directory: string): void {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    fatal(`${option}: no folder ${directory}`);
}

function readPrecedence(text: string | undefined): PrecedenceName | undefined {
  const name = PrecedenceName.optional().safeParse(text);
  return name.success
    ? name.data
    : fatal(`--precedence ${text}: write one of ${PrecedenceName.options.join(', ')}`);
}

/** `--discover` alone means here; the parser of options wants a word behind it. */
function withDefaultFolder(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const next = words[index + 1];
    return word === '--discover' && (next === undefined || next.startsWith('--')) ? '--discover=.' : word;
  });
}
