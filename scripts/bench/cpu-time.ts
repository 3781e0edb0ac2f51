import { readdirSync, readFileSync } from 'node:fs';

/** The kernel reports in ticks, and every Linux that Node runs on has 100 of them a second. */
const MICROSECONDS_PER_TICK = 10_000;

interface ProcessStat {
  readonly id: number;
  readonly parent: number;
  readonly command: string;
  readonly ticks: number;
}

/** The process of this name that this one started. */
export function childNamed(command: string): number {
  const found = processes().find((entry) => entry.parent === process.pid && entry.command === command);
  if (!found) throw new Error(`there is no child process ${command}`);
  return found.id;
}

/** CPU time that a process and all below it have used so far, in user and kernel mode, in microseconds. */
export function cpuMicroseconds(root: number): number {
  const all = processes();
  const tree = new Set([root]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { id, parent } of all) if (tree.has(parent)) tree.add(id);
  }
  return all.reduce((sum, { id, ticks }) => sum + (tree.has(id) ? ticks * MICROSECONDS_PER_TICK : 0), 0);
}

function processes(): ProcessStat[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch (error) {
    throw new Error(
      'the benchmark reads CPU time from /proc, which this system does not have: run it on Linux',
      { cause: error },
    );
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
}

/** `/proc/ID/stat`, proc(5): "ID (command) state parent ... utime stime"; a command may hold spaces and parentheses. */
function readStat(name: string): ProcessStat[] {
  let text: string;
  try {
    text = readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch {
    return []; // It ended meanwhile.
  }
  const end = text.lastIndexOf(')');
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, userTicks = 0, systemTicks = 0] = [fields[1], fields[11], fields[12]];
  return [
    {
      id: Number(name),
      parent,
      command: text.slice(text.indexOf('(') + 1, end),
      ticks: userTicks + systemTicks,
    },
  ];
}
