import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Layer } from '../src/catalog/layers.ts';
import { tokenKey } from '../src/store/keys.ts';
import { Actor, ALL_SCOPES, newToken, TokenRecord, TokenScope } from '../src/view/token.ts';
import { fatal } from './lib/terminal.ts';

const TRUSTS = TokenRecord.shape.trust.unwrap().options;
const USAGE = `npm run token -- --organisation NAME [--label TEXT] [--scope SCOPE ...] [--bind LAYER ...] [--trust TRUST]
                 [--actor ACTOR] [--days N] [--local]

Makes a token for your own deployment: prints its text once, and stores only its SHA-256 in the deployment's KV, with
the rights that wrangler has (log in with "wrangler login" first).
  --organisation NAME  lower-case letters, digits and hyphens
  --label TEXT         what the token is for (default "token")
  --scope SCOPE        ${ALL_SCOPES.join(', ')}
                       (default: all but bundled:push)
  --bind LAYER         the only user, project, plugin or mcp layers it may name
  --trust TRUST        how far what it publishes is trusted: ${TRUSTS.join(', ')} (default: trusted; a layer can have less)
  --actor ACTOR        who holds it: ${Actor.options.join(', ')} (default: service). What an agent publishes is agent-created
  --days N             ends after N days (default: never)
  --local              store it in the local state of wrangler dev instead`;

const { values } = parseArgs({
  options: {
    organisation: { type: 'string' },
    label: { type: 'string', default: 'token' },
    scope: {
      type: 'string',
      multiple: true,
      default: ALL_SCOPES.filter((scope) => scope !== 'bundled:push'),
    },
    bind: { type: 'string', multiple: true },
    trust: { type: 'string' },
    actor: { type: 'string' },
    days: { type: 'string' },
    local: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!values.organisation) fatal('--organisation needs a name, such as --organisation acme');
const record = TokenRecord.safeParse({
  version: 1,
  organisation: values.organisation,
  label: values.label,
  scopes: values.scope.map(
    (scope) =>
      TokenScope.safeParse(scope).data ?? fatal(`--scope ${scope}: not one of ${ALL_SCOPES.join(', ')}`),
  ),
  layers:
    values.bind?.map((layer) => Layer.safeParse(layer).data ?? fatal(`--bind ${layer}: not a layer`)) ?? null,
  expiresAt: values.days === undefined ? null : Date.now() + Number(values.days) * 24 * 60 * 60 * 1000,
  trust: values.trust,
  actor: values.actor,
});
if (!record.success)
  fatal(record.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'));

const token = newToken(record.data.organisation, { development: false });
const place = values.local ? ['--local', '--persist-to', '.dev/state'] : ['--remote'];
const stored = spawnSync(
  'wrangler',
  ['kv', 'key', 'put', '--binding', 'KV', ...place, tokenKey(token.hash), JSON.stringify(record.data)],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
if (stored.status !== 0) fatal('the token was not stored; what wrangler said is above');
console.error('Keep this token; it is shown once and stored nowhere:');
console.log(token.text);
