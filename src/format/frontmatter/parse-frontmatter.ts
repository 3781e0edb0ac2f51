import { SKILL_LIMITS } from '../../core/limits.ts';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../diagnostic.ts';
import { nestsDeeperThan } from './nesting.ts';
import { readLines } from './read-lines.ts';
import { readPlain } from './read-plain.ts';
import { type Frontmatter, readYaml } from './read-yaml.ts';
import { repairEntries } from './repair-entries.ts';

/**
 * Lenient to load, strict to report: YAML 1.2 core first, then again with quotes around the values that YAML stumbled
 * over, then line by line. The text is bounded in size and depth before any parser sees it.
 */
export function parseFrontmatter(text: string, firstLine: number, path: string): Frontmatter {
  if (byteLength(text) > SKILL_LIMITS.frontmatterBytes)
    return refused('frontmatter-too-large', 'the frontmatter is larger than 16 KiB', firstLine, path);
  if (nestsDeeperThan(text, SKILL_LIMITS.frontmatterDepth))
    return refused('frontmatter-too-deep', 'the frontmatter is nested too deep', firstLine, path);
  const plain = readPlain(text, firstLine);
  if (plain) return { keys: plain, features: new Map(), diagnostics: [] };
  // The line end before the closing fence belongs to the last value: `|+` keeps it.
  const first = readYaml(`${text}\n`, firstLine, path);
  if (first.kind !== 'invalid') return first.frontmatter;
  const repair = first.faults > SKILL_LIMITS.repairedKeys ? null : repairEntries(text);
  const second = repair ? readYaml(`${repair.text}\n`, firstLine, path) : null;
  if (repair && second && second.kind !== 'invalid') {
    const remark = (code: DiagnosticCode, message: string) => (line: number) =>
      diagnostic(code, path, firstLine + line, message);
    const remarks: Diagnostic[] = [
      ...repair.quoted.map(remark('yaml-repaired', `YAML needs quotes around this value: ${first.message}`)),
      ...repair.joined.map(remark('yaml-indent', `YAML needs more indentation here: ${first.message}`)),
      ...repair.removed.map(remark('yaml-invalid', 'the line belongs to no key')),
    ];
    return { ...second.frontmatter, diagnostics: [...remarks, ...second.frontmatter.diagnostics] };
  }
  const { line, column } = first.place;
  const remark = diagnostic('yaml-invalid', path, line, `YAML cannot read this: ${first.message}`, column);
  return { keys: readLines(text, firstLine), features: new Map(), diagnostics: [remark] };
}

/** Only text near the bound is worth encoding: a UTF-16 unit is at most three bytes. */
function byteLength(text: string): number {
  return text.length * 3 <= SKILL_LIMITS.frontmatterBytes
    ? text.length
    : new TextEncoder().encode(text).length;
}

function refused(code: DiagnosticCode, message: string, line: number, path: string): Frontmatter {
  return { keys: new Map(), features: new Map(), diagnostics: [diagnostic(code, path, line, message)] };
}
