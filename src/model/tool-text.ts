import type { ToolResult } from './message.ts';

/** A tool's answer as a model reads it: what was printed, then what went wrong. */
export function toolText({ stdout, stderr, exitCode }: ToolResult): string {
  const parts = [stdout, stderr, exitCode === 0 ? '' : `exit code ${exitCode}`];
  const text = parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n');
  // Providers refuse an empty text.
  return text === '' ? '(no output)' : text.toWellFormed();
}
