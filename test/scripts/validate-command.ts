import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { z } from 'zod';
import { Diagnostic } from '../../src/format/diagnostic.ts';

export const PROJECT = resolve(import.meta.dirname, '../..');
export const SAMPLE = 'test/fixtures/broken';

/** Runs `npm run validate` as a person would. */
export function validate(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/validate.ts', ...words], {
    cwd: PROJECT,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

const Output = z.strictObject({
  version: z.literal(1),
  skills: z.int(),
  notLoaded: z.array(z.string()),
  totals: z.strictObject({ error: z.int(), warning: z.int(), info: z.int() }),
  codes: z.array(
    z.strictObject({ count: z.int(), severity: z.enum(['error', 'warning', 'info']), code: z.string() }),
  ),
  diagnostics: z.array(Diagnostic),
});

export function validateJson(...words: string[]): z.infer<typeof Output> {
  return Output.parse(JSON.parse(validate('--format', 'json', ...words).stdout));
}

/** `path:line:column`, or without the column where there is none. */
export function placeOf({ path, line, column }: Diagnostic): string {
  return [path, line, ...(column === undefined ? [] : [column])].join(':');
}
