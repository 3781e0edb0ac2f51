/** A fenced code block of a markdown text: the first word of its info string in lower case, and its lines. */
export interface Fence {
  readonly language: string;
  readonly code: string;
}

const OPENING = /^( {0,3})(`{3,}|~{3,})[ \t]*(.*)$/;
const LINE_END = /\r\n|\n|\r/;

/**
 * All fenced blocks, in order, by CommonMark's rules: backticks or tildes, at least three, indented by at most three
 * spaces, closed by a fence of the same character that is at least as long, or by the end of the text. What looks like
 * a fence inside a block is content.
 */
export function fencesOf(markdown: string): Fence[] {
  const lines = markdown.split(LINE_END);
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const opening = openingOf(lines[index] ?? '');
    if (opening === null) continue;
    const code: string[] = [];
    for (index += 1; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      if (closes(line, opening.marker)) break;
      code.push(unindented(line, opening.indent));
    }
    fences.push({ language: opening.language, code: code.join('\n') });
  }
  return fences;
}

function openingOf(line: string): { indent: number; marker: string; language: string } | null {
  const [, spaces, marker, info] = OPENING.exec(line) ?? [];
  if (spaces === undefined || marker === undefined || info === undefined) return null;
  // Backticks behind backticks make a code span, not a fence.
  if (marker.startsWith('`') && info.includes('`')) return null;
  return { indent: spaces.length, marker, language: (info.split(/\s/, 1)[0] ?? '').toLowerCase() };
}

function closes(line: string, marker: string): boolean {
  const [, , closing, rest] = OPENING.exec(line) ?? [];
  return closing !== undefined && rest === '' && closing[0] === marker[0] && closing.length >= marker.length;
}

/** Content loses as much indentation as its opening fence had, and no more. */
function unindented(line: string, indent: number): string {
  let spaces = 0;
  while (spaces < indent && line[spaces] === ' ') spaces += 1;
  return line.slice(spaces);
}
