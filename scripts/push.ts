import { parseArgs } from 'node:util';
import { SCAN_NOTE } from '../src/view/shown-scan.ts';
import { visibleCharacters } from '../src/core/visible-characters.ts';
import { openBundle } from './lib/bundle.ts';
import { readToken, TOKEN_FILE } from './lib/development-token.ts';
import { pushLayer } from './lib/push-bundle.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run push -- --to URL [--bundle DIR] [--layer LAYER ...] [--force] [--json]

Sends a bundle that "npm run build" wrote to a deployment. Only what is missing there is sent, and the heads move last.
  --to URL        the deployment, such as http://localhost:8787
  --bundle DIR    the bundle (default dist/bundle)
  --layer LAYER   only this layer of it; may be given several times
  --force         publish in spite of warnings; needs the scope decisions:approve, and passes nothing that is dangerous
  --json          one JSON object on standard output
Skills that may not be published, by what a scan says and where they are from, are left out and wait in the quarantine
(GET /v1/quarantine); what stood under their names stays. A scan is evidence, not a verdict of trust. Exit codes: 0 all is
published, 1 an error, 2 wrong options, 3 something waits.
The token is read from SKILLEDGE_TOKEN, else from ${TOKEN_FILE}.`;

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    bundle: { type: 'string', default: 'dist/bundle' },
    layer: { type: 'string', multiple: true, default: [] },
    force: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!values.to || !URL.canParse(values.to))
  fatal('--to needs the URL of a deployment, such as --to http://localhost:8787');
const token = process.env['SKILLEDGE_TOKEN'] ?? readToken();
if (!token)
  fatal(
    `no token: set SKILLEDGE_TOKEN, or start a local server with "npm start", which writes ${TOKEN_FILE}`,
  );

try {
  const target = { url: new URL(values.to), token, force: values.force };
  const bundle = openBundle(values.bundle);
  const chosen = bundle.layers.filter(
    ({ layer }) => values.layer.length === 0 || values.layer.includes(layer),
  );
  if (chosen.length === 0)
    fatal(`the bundle has no such layer; it has ${bundle.layers.map(({ layer }) => layer).join(', ')}`);
  const progress = progressLine(!values.json);
  const pushed = [];
  for (const layer of chosen) {
    pushed.push(
      await pushLayer(bundle, layer, target, (done, all) =>
        progress.show(`${layer.layer}: ${done}/${all} blobs`),
      ),
    );
  }
  progress.end();
  bundle.close();
  if (values.json) console.log(JSON.stringify({ layers: pushed }));
  else {
    for (const layer of pushed) {
      const what = layer.moved ? `now at ${layer.catalog}` : 'nothing changed';
      console.log(
        `${layer.layer}: ${layer.skills} skills, ${layer.sentBlobs} blobs (${layer.sentBytes} bytes) sent in ${layer.requests} requests, ${what}`,
      );
      for (const { id, name, verdict, status } of layer.held)
        console.error(
          `  not published: ${visibleCharacters(name)} (${verdict}, ${status}): GET /v1/quarantine/${id}`,
        );
      const more = layer.heldCount - layer.held.length;
      if (more > 0) console.error(`  not published: ${more} more`);
    }
  }
  if (pushed.some(({ heldCount }) => heldCount > 0)) {
    console.error(SCAN_NOTE);
    process.exitCode = 3;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
