import { z } from 'zod';
import { RUN_LIMITS } from '../../core/limits.ts';
import { compilePattern } from '../../policy/linear-pattern.ts';
import type { TextMatcher } from '../../policy/wildcard.ts';
import { defineTool, failed, succeeded, type ToolContext } from '../tool.ts';
import { absolute, FilePath } from './file-path.ts';
import { relativeTo } from './glob.ts';
import { matchFiles } from './match-files.ts';
import { linesOf, shownLine } from './lines.ts';
import { textOf } from '../../core/text-bytes.ts';

const LIMITS = { characters: RUN_LIMITS.grepPatternCharacters, repeated: RUN_LIMITS.grepPatternRepeated };
const Context = z.int().min(0).max(RUN_LIMITS.grepContextLines);

const GrepInput = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression in the syntax of RE2, looked for in each line.'),
  path: FilePath.default('/workspace').describe('A file, or a folder to search below.'),
  glob: z.string().min(1).optional().describe('Only files whose path matches, such as *.{ts,js}.'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).default('files_with_matches'),
  '-i': z.boolean().default(false).describe('Upper and lower case are the same.'),
  '-A': Context.default(0).describe('Lines to show behind each match.'),
  '-B': Context.default(0).describe('Lines to show before each match.'),
  '-C': Context.optional().describe('Lines to show around each match.'),
  head_limit: z.int().min(1).max(RUN_LIMITS.grepLines).default(RUN_LIMITS.grepLines),
});
type GrepInput = z.infer<typeof GrepInput>;

/** Lines that match, in files of the sandbox. */
export const grepTool = defineTool({
  name: 'Grep',
  description:
    'Searches text files for a regular expression: which files have a match, the lines themselves, or how many.',
  input: GrepInput,
  subject: ({ path }) => absolute(path),
  async run(input, context) {
    const root = absolute(input.path);
    const chosen = input.glob === undefined ? null : matchFiles(input.glob);
    if (chosen?.ok === false) return failed(chosen.error);
    const matches = await compilePattern(`${input['-i'] ? '(?i)' : ''}${input.pattern}`, LIMITS);
    if (!matches.ok) return failed(`pattern_invalid: ${matches.error}`);
    const files = await context.sandbox.files(root);
    const wanted = files.filter((file) => chosen?.value(relativeTo(root, file.path)) ?? true);
    const { lines, note } = await search(
      wanted.map((file) => file.path),
      matches.value,
      input,
      context,
    );
    return succeeded(`${lines.length === 0 && note === '' ? '[no match]\n' : lines.join('')}${note}`);
  },
});

/** Stops at the limit of lines, and at the end of its time: the clock moves only between slices. */
async function search(
  paths: readonly string[],
  matches: TextMatcher,
  input: GrepInput,
  { sandbox, remainingMilliseconds }: ToolContext,
): Promise<{ lines: string[]; note: string }> {
  const end = Date.now() + Math.min(RUN_LIMITS.grepMilliseconds, remainingMilliseconds);
  const found: string[] = [];
  let searched = 0;
  await sandbox.expect(paths);
  for (const path of paths) {
    const text = textOf(await sandbox.read(path));
    if (text === null) continue;
    const lines = linesOf(text);
    const hits: number[] = [];
    for (const [index, line] of lines.entries()) {
      if (matches(line.slice(0, RUN_LIMITS.grepLineCharacters))) hits.push(index);
      searched += line.length + 1;
      if (searched < RUN_LIMITS.grepSliceCharacters) continue;
      searched = 0;
      await scheduler.wait(0);
      if (Date.now() < end) continue;
      return { lines: found, note: `[time_limit: not all was searched; the search ended in ${path}]\n` };
    }
    if (hits.length > 0) found.push(...reported(path, lines, hits, input));
    if (found.length > input.head_limit)
      return { lines: found.slice(0, input.head_limit), note: '[there is more; narrow the search]\n' };
  }
  return { lines: found, note: '' };
}

/** What is said of a file with matches: lines of the answer. */
function reported(
  path: string,
  lines: readonly string[],
  hits: readonly number[],
  input: GrepInput,
): string[] {
  if (input.output_mode === 'files_with_matches') return [`${path}\n`];
  if (input.output_mode === 'count') return [`${path}:${hits.length}\n`];
  const before = input['-C'] ?? input['-B'];
  const after = input['-C'] ?? input['-A'];
  const hit = new Set(hits);
  const report: string[] = [];
  let next = 0;
  for (const index of hits) {
    const first = Math.max(next, index - before);
    if (first > next && next > 0 && before + after > 0) report.push('--\n');
    const last = Math.min(lines.length - 1, index + after);
    for (let at = first; at <= last; at += 1) {
      const mark = hit.has(at) ? ':' : '-';
      report.push(`${path}${mark}${at + 1}${mark}${shownLine(lines[at] ?? '', RUN_LIMITS.lineCharacters)}\n`);
    }
    next = Math.max(next, last + 1);
  }
  return report;
}
