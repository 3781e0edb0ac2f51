import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ChainLink } from '../src/audit/audit-record.ts';
import { LogVerifier } from '../src/audit/verify-log.ts';
import { AUDIT_LIMITS } from '../src/core/limits.ts';
import { byteLines } from './lib/byte-lines.ts';
import { readToken, TOKEN_FILE } from './lib/development-token.ts';
import { fatal } from './lib/terminal.ts';

const USAGE = `npm run audit:verify -- FILE [--head SEQUENCE:DIGEST]
npm run audit:verify -- --url URL [--log bundled] [--head SEQUENCE:DIGEST]

Reads an export of an audit log (GET /v1/audit?format=jsonl) from a file, standard input ("-") or a deployment, and finds
every record that was changed, taken out, put in or moved.
  --head SEQUENCE:DIGEST  where the log stood once, as it was written down then: finds a log that was made anew, or cut
                          at its end. It is printed each time
  --url URL               the deployment; the token is read from SKILLEDGE_TOKEN, else from ${TOKEN_FILE}
  --log bundled           the log of the shared layer
Ends with 0 where everything fits, with 1 where something does not, and with 2 where there is nothing to read.`;

/** Faults that are told one by one. */
const SHOWN = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    log: { type: 'string' },
    head: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [file] = positionals;
if ((file === undefined) === (values.url === undefined))
  fatal('give either a file ("-" for standard input) or --url');

const verifier = new LogVerifier(values.head === undefined ? null : readLink(values.head));
let faults = 0;
try {
  for await (const line of byteLines(await open(), AUDIT_LIMITS.lineCharacters * 4))
    tell(verifier.read(line));
} catch (error) {
  fatal(`the log cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}
tell(verifier.end());
if (faults > SHOWN) console.error(`and ${faults - SHOWN} more`);
const { last } = verifier;
if (faults > 0) process.exitCode = 1;
else if (last) console.log(`every record fits; the head is ${last.sequence}:${last.digest}`);

function tell(found: ReturnType<LogVerifier['read']>): void {
  for (const { line, message } of found) {
    faults += 1;
    if (faults <= SHOWN) console.error(line === 0 ? message : `line ${line}: ${message}`);
  }
}

async function open(): Promise<Readable> {
  if (values.url === undefined) return file === '-' ? process.stdin : createReadStream(file ?? '');
  if (!URL.canParse(values.url)) fatal('--url needs the URL of a deployment, such as http://localhost:8787');
  const token = process.env['SKILLEDGE_TOKEN'] ?? readToken();
  if (!token) fatal(`no token: set SKILLEDGE_TOKEN, or start a local server, which writes ${TOKEN_FILE}`);
  const address = new URL('/v1/audit?format=jsonl', values.url);
  if (values.log !== undefined) address.searchParams.set('log', values.log);
  const response = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok || !response.body) fatal(`the deployment answered ${response.status}`);
  return Readable.fromWeb(response.body);
}

function readLink(text: string): ChainLink {
  const [sequence, digest] = [text.split(':', 1)[0], text.slice(text.indexOf(':') + 1)];
  const link = ChainLink.safeParse({ sequence: Number(sequence), digest });
  return link.data ?? fatal('--head is SEQUENCE:DIGEST, such as 12:sha256:... with 64 hex digits');
}
