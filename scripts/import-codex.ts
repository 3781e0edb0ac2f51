import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SKILL_FILE_NAME } from '../src/format/parse-skill.ts';
import { diskTree } from './lib/disk-tree.ts';
import { insertionDiff, insertLines } from './lib/import-codex/insert-lines.ts';
import { mergeSidecar } from './lib/import-codex/merge-sidecar.ts';
import { fatal } from './lib/terminal.ts';

const SIDECAR = 'agents/openai.yaml';
const USAGE = `npm run import:codex -- DIR... [--write]

Brings what Codex' ${SIDECAR} files say into the frontmatter of the SKILL.md beside them, and shows the change as a diff.
The sidecars stay as they are; Skilledge reads frontmatter only. Exits 1 when the two of a skill contradict each other.
  --write  change the files; otherwise nothing is written`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (positionals.length === 0) fatal(USAGE);

const counts = { imported: 0, complete: 0, refused: 0 };
for (const directory of positionals) {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) fatal(`no folder ${directory}`);
  const paths = new Set(diskTree(directory).files.map(({ path }) => path));
  for (const path of paths) {
    if (path !== SIDECAR && !path.endsWith(`/${SIDECAR}`)) continue;
    const skillPath = `${path.slice(0, -SIDECAR.length)}${SKILL_FILE_NAME}`;
    if (paths.has(skillPath)) importOne(join(directory, skillPath), join(directory, path));
  }
}
const verb = values.write ? 'changed' : 'would change';
console.log(`${counts.imported} ${verb}, ${counts.complete} already complete, ${counts.refused} refused`);
if (counts.refused > 0) process.exitCode = 1;

function importOne(skillFile: string, sidecarFile: string): void {
  const text = readFileSync(skillFile, 'utf8');
  const merged = mergeSidecar(text, readFileSync(sidecarFile, 'utf8'));
  if (!merged.ok) {
    counts.refused += 1;
    for (const { message, skillLine, sidecarLine } of merged.error)
      console.error(`${skillFile}:${skillLine}: ${message} (${sidecarFile}:${sidecarLine})`);
    return;
  }
  if (merged.value.length === 0) {
    counts.complete += 1;
    return;
  }
  counts.imported += 1;
  console.log(insertionDiff(skillFile, merged.value));
  if (values.write) writeFileSync(skillFile, insertLines(text, merged.value));
}
