import { visibleCharacters } from '../../../src/core/visible-characters.ts';
import type { Diagnostic } from '../../../src/format/diagnostic.ts';
import type { Findings } from './check-target.ts';
import { countCodes } from './count-codes.ts';

/** As compilers print: the place first, so that terminals and editors make links of it; a table of codes at the end. */
export function formatText(findings: Findings): string {
  const { diagnostics, skills, notLoaded } = findings;
  const lines = [...diagnostics.flatMap(linesOf), ...(diagnostics.length > 0 ? [''] : [])];
  lines.push(`${counted(skills.length, 'skill')} looked at, ${notLoaded.length} not loaded`);
  if (diagnostics.length > 0) lines.push('', ...codeTable(diagnostics));
  return lines.join('\n');
}

function linesOf({ path, line, column = 1, severity, code, message, hint }: Diagnostic): string[] {
  return [`${path}:${line}:${column}: ${severity} ${code}: ${message}`, `    ${hint}`].map(visibleCharacters);
}

export function codeTable(diagnostics: readonly Diagnostic[]): string[] {
  const rows = countCodes(diagnostics).map(({ count, severity, code }) => [String(count), severity, code]);
  return [['count', 'severity', 'code'], ...rows].map(
    ([count = '', severity = '', code = '']) => `${count.padStart(7)}  ${severity.padEnd(8)}  ${code}`,
  );
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
