import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { visibleCharacters } from '../src/core/visible-characters.ts';
import { scanJson, scanSarif, scanText } from './lib/scan/formats.ts';
import { noticesOf, scanTarget, type TargetScan } from './lib/scan/scan-target.ts';
import { suppress, Suppressions } from './lib/scan/suppressions.ts';
import { projectVersion } from './lib/sarif.ts';
import { fatal, progressLine } from './lib/terminal.ts';
import { openTarget, type Target } from './lib/validate/target.ts';

const USAGE = `npm run scan -- DIR... [--json] [--format FORMAT] [--suppress FILE] [--ignore GLOB ...] [--strict]

Looks through skills for what somebody should know before using them. A scan is evidence, not a verdict of trust:
what it finds may be meant well, and what it does not find may be there. Nothing is written.
  DIR              a folder with skills at any depth, one skill's folder, or a SKILL.md; may be given several times
  --format FORMAT  text (default), json (one object a line: skill, path, verdict, complete, findings) or sarif (2.1.0)
  --json           the same as --format json
  --suppress FILE  findings that somebody answers for: {"version": 1, "suppressions": [{"hash", "reason", "expires"}]};
                   one whose last day (expires) is over counts for nothing
  --ignore GLOB    leave out matching paths
  --strict         exit 1 on caution too
Exits 1 when a skill is dangerous or cannot be read, 2 when it cannot do what was asked.`;

const { values, positionals } = readWords();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const format = values.json ? 'json' : values.format;
if (!['text', 'json', 'sarif'].includes(format)) fatal(`--format ${format}: not one of text, json, sarif`);
if (positionals.length === 0) fatal('nothing to scan: npm run scan -- DIR...; --help says the rest');
const suppressions = values.suppress === undefined ? null : readSuppressions(values.suppress);

const progress = progressLine(true);
const scans: TargetScan[] = [];
for (const { named, target } of positionals.map(opened)) {
  const scan = await scanTarget(target, (done, all) => progress.show(`${named}: ${done}/${all} skills`));
  progress.end();
  if (scan.skills.length + scan.unread.length === 0) fatal(`${named}: there is no SKILL.md in it`);
  scans.push(scan);
}
const unread = scans.flatMap((scan) => scan.unread);
const scanned = scans.flatMap((scan) => scan.skills);
const notices = scans.flatMap(noticesOf);
const today = new Date().toISOString().slice(0, 10);
const { skills, left, expired, unused } = suppress(
  scanned,
  suppressions ?? { version: 1, suppressions: [] },
  today,
);
if (format === 'json') console.log(scanJson(skills));
else if (format === 'sarif') console.log(scanSarif(skills, projectVersion(), notices));
else console.log(scanText(skills));
for (const { finding, path, reason } of left)
  say(`suppressed: ${path}/${finding.path}:${finding.line} ${finding.rule}: ${reason}`);
for (const { hash, expires } of expired) say(`expired on ${expires}, counts for nothing: ${hash}`);
for (const { hash } of unused) say(`suppresses nothing: ${hash}`);
for (const notice of notices) say(notice);

const isBad = skills.some(
  ({ verdict }) => verdict === 'dangerous' || (values.strict && verdict === 'caution'),
);
if (isBad || unread.length > 0) process.exitCode = 1;

function say(text: string): void {
  console.error(visibleCharacters(text));
}

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'text' },
        json: { type: 'boolean', default: false },
        suppress: { type: 'string' },
        ignore: { type: 'string', multiple: true, default: [] },
        strict: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return fatal(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function opened(named: string): { named: string; target: Target } {
  const target = openTarget(named, values.ignore);
  return target ? { named, target } : fatal(`${named}: neither a folder nor a SKILL.md`);
}

function readSuppressions(file: string): Suppressions {
  try {
    return Suppressions.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    return fatal(`--suppress ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
