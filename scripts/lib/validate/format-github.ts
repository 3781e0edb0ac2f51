import type { Diagnostic } from '../../../src/format/diagnostic.ts';
import type { Findings } from './check-target.ts';

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<
  Diagnostic['severity'],
  string
>;

/** Workflow commands, which GitHub shows as annotations at the line they name. */
export function formatGithub({ diagnostics }: Findings): string {
  return diagnostics.map(commandOf).join('\n');
}

function commandOf({ path, line, column, severity, code, message, hint }: Diagnostic): string {
  const properties: readonly (readonly [string, string])[] = [
    ['file', path],
    ['line', String(line)],
    ...(column === undefined ? [] : [['col', String(column)] as const]),
    ['title', code],
  ];
  const named = properties.map(([name, value]) => `${name}=${escapedProperty(value)}`).join(',');
  return `::${COMMANDS[severity]} ${named}::${escapedData(`${message}\n${hint}`)}`;
}

/** A line break would end the command, and whatever follows could be another one. */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
