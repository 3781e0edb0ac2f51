import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { treeLayout } from '../src/compile/layouts/tree.ts';
import { TreeIndex } from '../src/compile/tree-index.ts';
import type { ScannedFile } from '../src/scan/scan-skill.ts';
import { median } from './bench/statistics.ts';
import { diskTree } from './lib/disk-tree.ts';
import { measureScan, type ScanCost } from './lib/scan/measure-scan.ts';
import { fatal } from './lib/terminal.ts';

const USAGE = `npm run bench:scan -- DIR [--rounds N]

What scanning the skills of a folder costs beside parsing and hashing them, in the same process and run: processor time,
the median of the rounds. One round before the others warms up.
  --rounds N  rounds that count (default 5)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [directory = ''] = positionals;
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) fatal(`--rounds ${values.rounds}: not a whole number from 1 on`);
if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
  fatal(`${directory}: not a folder\n\n${USAGE}`);

const { definitions } = await treeLayout(new TreeIndex(diskTree(directory).files), '');
const skills: ScannedFile[][] = [];
for (const { files } of definitions) {
  const read: ScannedFile[] = [];
  for (const { path, file } of files) {
    const bytes = await file.read();
    if (bytes instanceof Uint8Array) read.push({ path, bytes, executable: file.executable });
  }
  skills.push(read);
}
if (skills.length === 0) fatal(`${directory}: there is no SKILL.md in it`);

measureScan(skills);
const costs = Array.from({ length: rounds }, () => measureScan(skills));
const middle = (of: (cost: ScanCost) => number): number => median(costs.map(of));
const bytes = skills.flat().reduce((sum, file) => sum + file.bytes.length, 0);
console.log(
  [
    `${skills.length} skills, ${(bytes / 1e6).toFixed(1)} MB, ${rounds} rounds`,
    `parsing   ${middle(({ parsing }) => parsing).toFixed(0)} ms`,
    `hashing   ${middle(({ hashing }) => hashing).toFixed(0)} ms`,
    `scanning  ${middle(({ scanning }) => scanning).toFixed(0)} ms`,
    `scanning / (parsing + hashing)  ${middle(({ parsing, hashing, scanning }) => scanning / (parsing + hashing)).toFixed(2)}`,
  ].join('\n'),
);
