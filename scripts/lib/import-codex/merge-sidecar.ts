import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { fail, ok, type Result } from '../../../src/core/result.ts';
import { equivalentsOf } from './equivalents.ts';
import { PositionedYaml } from './positioned-yaml.ts';

/** Lines to put behind a line of a SKILL.md. Nothing of the author's is ever changed or removed. */
export interface Insertion {
  readonly afterLine: number;
  readonly lines: readonly string[];
}

/** What is wrong, and where in both files. */
export interface ImportFault {
  readonly message: string;
  readonly skillLine: number;
  readonly sidecarLine: number;
}

/** The members of `agents/openai.yaml` that have a meaning in a frontmatter. */
const MEMBERS = ['interface', 'policy', 'dependencies'];

/**
 * What of a sidecar the frontmatter beside it lacks. Where both say something, they must say the same: which of them is
 * right is for a person to know.
 */
export function mergeSidecar(skillText: string, sidecarText: string): Result<Insertion[], ImportFault[]> {
  const found = frontmatterOf(skillText);
  if (!found) return fail([{ message: 'the SKILL.md has no frontmatter', skillLine: 1, sidecarLine: 1 }]);
  const { skill, lastLine } = found;
  const sidecar = new PositionedYaml(sidecarText, 0);
  const message = 'the frontmatter or the sidecar is not a map in YAML; repair it first';
  if (skill.fault !== null || sidecar.fault !== null)
    return fail([{ message, skillLine: skill.fault ?? 1, sidecarLine: sidecar.fault ?? 1 }]);

  const faults: ImportFault[] = [];
  const insertions: Insertion[] = [];
  const fresh: string[] = [];
  for (const member of MEMBERS) {
    const { lacking, conflicts } = compare(skill, sidecar, member);
    faults.push(...conflicts);
    const names = Object.keys(lacking);
    if (names.length === 0) continue;
    const place = skill.has([member]) ? skill.endOf([member]) : undefined;
    if (place === undefined) fresh.push(...linesOf({ [member]: lacking }, ''));
    else if (place) insertions.push({ afterLine: place.line, lines: linesOf(lacking, place.indent) });
    else {
      const message = `"${member}" of the frontmatter is not written line by line; add ${names.join(', ')} by hand`;
      faults.push({ message, skillLine: skill.line([member]), sidecarLine: sidecar.line([member]) });
    }
  }
  if (fresh.length > 0) insertions.push({ afterLine: lastLine, lines: fresh });
  return faults.length > 0 ? fail(faults) : ok(insertions);
}

function compare(
  skill: PositionedYaml,
  sidecar: PositionedYaml,
  member: string,
): { lacking: Record<string, unknown>; conflicts: ImportFault[] } {
  const lacking: Record<string, unknown> = {};
  const conflicts: ImportFault[] = [];
  for (const key of sidecar.keys([member])) {
    const value = sidecar.value([member, key]);
    const told = equivalentsOf(member, key).filter(({ path }) => skill.has(path));
    const other = told.find(({ path, read }) => !isDeepStrictEqual(read(skill.value(path)), value));
    if (told.length === 0) lacking[key] = value;
    if (!other) continue;
    const own = `${other.path.join('.')}: ${JSON.stringify(skill.value(other.path))}`;
    conflicts.push({
      message: `the sidecar has ${member}.${key}: ${JSON.stringify(value)}, the frontmatter ${own}`,
      skillLine: skill.line(other.path),
      sidecarLine: sidecar.line([member, key]),
    });
  }
  return { lacking, conflicts };
}

/** The frontmatter, and the line of the last thing in it. */
function frontmatterOf(text: string): { skill: PositionedYaml; lastLine: number } | null {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (!isFence(lines[0]) || end === -1) return null;
  const yaml = lines.slice(1, end).map((line) => line.replace(/\r$/, ''));
  return { skill: new PositionedYaml(yaml.join('\n'), 1), lastLine: end };
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^---[ \t]*\r?$/.test(line);
}

function linesOf(value: Record<string, unknown>, indent: string): string[] {
  const lines = stringify(value, { lineWidth: 0, blockQuote: false, doubleQuotedAsJSON: true })
    .trimEnd()
    .split('\n');
  return lines.map((line) => indent + line);
}
