import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { visibleCharacters } from '../../../src/core/visible-characters.ts';
import { type DiagnosticCode, DIAGNOSTICS } from '../../../src/format/diagnostic.ts';
import { CHAPTERS, CODE_NOTES } from './code-notes.ts';
import { codesOf } from './codes.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
/** The sample that is broken in every way there is, a folder for each code. */
export const SAMPLE = join(PROJECT, 'test/fixtures/broken');
export const PAGE = join(PROJECT, 'src/format/diagnostics.md');

/** Lines of an example that are shown around the fault. */
const AROUND = 8;
const WIDTH = 100;

const INTRODUCTION = `# Diagnostics

Everything that \`npm run validate\` and \`npm run build\` say about a source tree. This page is written by
\`npm run docs:diagnostics\` from the table of codes, their notes and the sample in \`test/fixtures/broken\`, which has a
folder for each code; \`npm run validate -- test/fixtures/broken\` prints them all.

An *error* means that the file, or the skill, is not loaded. A *warning* means that it is, but other runtimes may refuse
it or its author meant something else. An *info* is worth knowing.`;

/** The page of all codes, as it should be. */
export function diagnosticsPage(): string {
  const chapters = Object.entries(CHAPTERS).map(([title, notes]) => ({ title, codes: codesOf(notes) }));
  const rows = chapters
    .flatMap(({ codes }) => codes)
    .map((code) => `| [${code}](#${code}) | ${DIAGNOSTICS[code][0]} | ${CODE_NOTES[code].means} |`);
  return (
    [
      INTRODUCTION,
      ['| code | severity | what it means |', '|---|---|---|', ...rows].join('\n'),
      ...chapters.flatMap(({ title, codes }) => [`# ${title}`, ...codes.flatMap(section)]),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  );
}

function section(code: DiagnosticCode): string[] {
  const note = CODE_NOTES[code];
  const [severity, hint] = DIAGNOSTICS[code];
  const head = [`## ${code}`, `*${severity}*: ${note.means}`, hint];
  return 'noExample' in note
    ? [...head, `No example: ${note.noExample}`]
    : [...head, ...example(code, note.at)];
}

function example(code: DiagnosticCode, at: string): string[] {
  const [path = '', line = '1', column] = at.split(':');
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  const lines = readFileSync(join(SAMPLE, code, path), 'utf8').split('\n');
  const first = Math.max(0, Number(line) - 1 - AROUND);
  const shown = lines.slice(first, Number(line) + AROUND);
  const text = [
    ...(first > 0 ? ['…'] : []),
    ...shown.map((text) => visibleCharacters(text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text)),
    ...(first + shown.length < lines.length ? ['…'] : []),
  ]
    .join('\n')
    .trimEnd();
  return [`\`${path}\`, reported at ${place}:`, `~~~markdown\n${text}\n~~~`];
}
