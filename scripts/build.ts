import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Layer } from '../src/catalog/layers.ts';
import { formatDiagnostic } from '../src/format/diagnostic.ts';
import { buildBundle, buildSummary, type Source } from './lib/build-bundle.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run build -- [--source LAYER=DIR ...] [--out DIR] [--ignore GLOB ...] [--no-bundled] [--json] [--strict]

Compiles skills/ (layer "bundled") and every --source into one content-addressed bundle.
  --source LAYER=DIR  another layer: org, user:ID, project:ID, plugin:NAME or mcp:SERVER
  --out DIR           where the bundle is written (default dist/bundle)
  --ignore GLOB       leave out matching paths
  --no-bundled        do not compile skills/
  --json              one JSON object on standard output; remarks of severity error on standard error
  --strict            exit 1 when anything did not load`;

const { values } = parseArgs({
  options: {
    source: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: 'dist/bundle' },
    ignore: { type: 'string', multiple: true, default: [] },
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

const sources: Source[] = values['no-bundled'] ? [] : [{ layer: 'bundled', directory: 'skills' }];
for (const text of values.source) sources.push(readSource(text));
const repeated = sources.find(
  ({ layer }, index) => sources.findIndex((other) => other.layer === layer) !== index,
);
if (repeated) fatal(`the layer ${repeated.layer} has two sources; a layer is one folder`);

const progress = progressLine(!values.json);
const result = await buildBundle(sources, values.out, values.ignore, (layer, done, all) =>
  progress.show(`${layer}: ${done}/${all} skills`),
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

function readSource(text: string): Source {
  const separator = text.indexOf('=');
  const layer = Layer.safeParse(text.slice(0, Math.max(0, separator)));
  const directory = text.slice(separator + 1);
  if (separator === -1 || !layer.success)
    fatal(`--source ${text}: write LAYER=DIR, for instance org=./our-skills`);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    fatal(`--source ${text}: no folder ${directory}`);
  return { layer: layer.data, directory };
}
