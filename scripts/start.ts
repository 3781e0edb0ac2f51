import { parseArgs } from 'node:util';
import { buildBundle, buildSummary } from './lib/build-bundle.ts';
import { openBundle } from './lib/bundle.ts';
import { developmentToken, LOCAL_DIRECTORY, TOKEN_FILE } from './lib/development-token.ts';
import { localSecrets } from './lib/local-secrets.ts';
import { freePort, startLocalServer } from './lib/local-server.ts';
import { pushLayer } from './lib/push-bundle.ts';
import { fatal } from './lib/terminal.ts';

const USAGE = `npm start [-- --port PORT] [--directory DIR]

Builds skills/, starts a local server, pushes the skills into it and writes a token for it to ${TOKEN_FILE}.
  --port PORT       try this port first (default 8787); the next free one is taken
  --directory DIR   where token, state and bundle are kept (default ${LOCAL_DIRECTORY})`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    directory: { type: 'string', default: LOCAL_DIRECTORY },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const wanted = Number(values.port);
if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_000) fatal(`--port ${values.port}: not a port`);

const bundleDirectory = `${values.directory}/bundle`;
const built = await buildBundle([{ layer: 'bundled', directory: 'skills' }], bundleDirectory, []);
const summary = buildSummary(built);
console.log(`built ${String(summary['skills'])} skills in ${String(summary['ms'])} ms`);

const tokenFile = `${values.directory}/token`;
const token = developmentToken(tokenFile);
const { port, busy } = await freePort(wanted);
if (busy.length > 0) console.log(`port ${busy.join(', ')} is taken; using ${port}`);
const server = await startLocalServer({
  port,
  stateDirectory: `${values.directory}/state`,
  tokenHash: token.hash,
  secretsFile: localSecrets(values.directory),
});
const stop = (): void => {
  void server.stop().then(() => process.exit(0));
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

const bundle = openBundle(bundleDirectory);
for (const layer of bundle.layers) await pushLayer(bundle, layer, { url: server.url, token: token.text });
bundle.close();

const listing = new URL('/v1/listing?context_window=200000&format=text', server.url);
console.log(`
Skilledge is at ${server.url.origin}, with the skills of skills/ in it. Its token is in ${tokenFile}.
Try, in another terminal:

  curl -s -H "Authorization: Bearer $(cat ${tokenFile})" "${listing.href}"

More of your own: npm run build -- --source org=DIR && npm run push -- --to ${server.url.origin}
The README goes on from here. Stop with Ctrl-C.`);
server.process.once('exit', (code) => process.exit(code ?? 1));
