import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { checkTarget, type Findings } from './lib/validate/check-target.ts';
import { countSeverities } from './lib/validate/count-codes.ts';
import { PAGE } from './lib/validate/diagnostics-page.ts';
import { formatGithub } from './lib/validate/format-github.ts';
import { formatJson } from './lib/validate/format-json.ts';
import { formatSarif } from './lib/validate/format-sarif.ts';
import { formatText } from './lib/validate/format-text.ts';
import { mergeFindings } from './lib/validate/merge-findings.ts';
import { openTarget, type Target } from './lib/validate/target.ts';
import { projectVersion } from './lib/sarif.ts';
import { fatal, progressLine } from './lib/terminal.ts';

const USAGE = `npm run validate -- DIR... [--format FORMAT] [--ignore GLOB ...] [--quiet] [--strict] [--help-page URL]

Says what is wrong with skills, as path:line:column: severity code: message, and what to do. Nothing is written.
  DIR              a folder with skills at any depth, one skill's folder, or a SKILL.md; may be given several times
  --format FORMAT  text (default), json (one object), sarif (2.1.0) or github (workflow commands)
  --ignore GLOB    leave out matching paths
  --quiet          say nothing of severity info
  --strict         exit 1 on warnings too
  --help-page URL  where sarif finds the page of all codes (default: the file in this checkout)
Exits 1 when there are errors, 2 when it cannot do what was asked.`;

const FORMATS: Readonly<Record<string, (findings: Findings) => string>> = {
  text: formatText,
  json: formatJson,
  github: formatGithub,
  sarif: (findings) => formatSarif(findings, { version: projectVersion(), helpPage }),
};

const { values, positionals } = readWords();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const format = Object.hasOwn(FORMATS, values.format) ? FORMATS[values.format] : undefined;
if (!format) fatal(`--format ${values.format}: not one of ${Object.keys(FORMATS).join(', ')}`);
const helpPage = values['help-page'] ?? pathToFileURL(PAGE).href;
if (!URL.canParse(helpPage)) fatal(`--help-page ${helpPage}: not a URL`);
if (positionals.length === 0) fatal('nothing to validate: npm run validate -- DIR...; --help says the rest');

const progress = progressLine(true);
const all: Findings[] = [];
for (const { named, target } of positionals.map(opened)) {
  const findings = await checkTarget(target, (done, all) => progress.show(`${named}: ${done}/${all} skills`));
  progress.end();
  if (findings.skills.length === 0) fatal(`${named}: there is no SKILL.md in it`);
  all.push(findings);
}
const found = mergeFindings(all);
const shown = values.quiet
  ? { ...found, diagnostics: found.diagnostics.filter(({ severity }) => severity !== 'info') }
  : found;
const text = format(shown);
if (text !== '') console.log(text);
const { error, warning } = countSeverities(found.diagnostics);
if (error > 0 || (values.strict && warning > 0)) process.exitCode = 1;

function readWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'text' },
        ignore: { type: 'string', multiple: true, default: [] },
        quiet: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        'help-page': { type: 'string' },
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
