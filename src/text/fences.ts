/** A fenced code block of a markdown text. Offsets are UTF-16 units. */
export interface Fence {
  /** The first word of its info string, in lower case. */
  readonly language: string;
  /** From its opening line to its closing one, the last line end not included. */
  readonly start: number;
  readonly end: number;
  /** Its lines, the last line end not included. */
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly indent: string;
}

/** How far a fence may be indented: three spaces, or as deep as it likes, as in the items of a list. */
type Indentation = 'three' | 'any';

/** A line that begins with three or more backticks or tildes. */
interface FenceLine {
  readonly start: number;
  /** Where its marks begin, and where they end. */
  readonly mark: number;
  readonly behind: number;
  readonly end: number;
  /** What stands behind the marks, trimmed. */
  readonly rest: string;
}

/**
 * All fenced blocks, in order, by CommonMark's rules: backticks or tildes, at least three, indented by at most three
 * spaces, closed by a fence of the same character that is at least as long, or by the end of the text. What looks like
 * a fence inside a block is content.
 */
export function fencesOf(markdown: string, indentation: Indentation = 'three'): Fence[] {
  const lines = fenceLines(markdown, indentation);
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const open = lines[index];
    if (open === undefined || !opens(markdown, open)) continue;
    do index += 1;
    while (index < lines.length && !closes(markdown, lines[index], open));
    const close = lines[index];
    const contentStart = afterLineEnd(markdown, open.end);
    const contentEnd = close === undefined ? markdown.length : beforeLineEnd(markdown, close.start);
    fences.push({
      language: open.rest === '' ? '' : (open.rest.split(/\s/, 1)[0] ?? '').toLowerCase(),
      start: open.start,
      end: close?.end ?? markdown.length,
      contentStart,
      contentEnd: Math.max(contentStart, contentEnd),
      indent: markdown.slice(open.start, open.mark),
    });
  }
  return fences;
}

/** The lines of a block. They lose as much indentation as its opening fence had, and no more. */
export function fenceCode(markdown: string, { contentStart, contentEnd, indent }: Fence): string {
  const content = markdown.slice(contentStart, contentEnd).replaceAll(/\r\n?/g, '\n');
  if (indent === '') return content;
  return content
    .split('\n')
    .map((line) => {
      let shared = 0;
      while (shared < indent.length && line[shared] === indent[shared]) shared += 1;
      return line.slice(shared);
    })
    .join('\n');
}

function fenceLines(text: string, indentation: Indentation): FenceLine[] {
  const lines: FenceLine[] = [];
  let [ticks, tildes] = [-1, -1];
  for (let at = 0; ;) {
    // Each is searched only from where it was found, so both together read the text twice at most.
    if (ticks < at) ticks = indexOrEnd(text, '```', at);
    if (tildes < at) tildes = indexOrEnd(text, '~~~', at);
    const mark = Math.min(ticks, tildes);
    if (mark === Infinity) return lines;
    let behind = mark;
    while (text.charAt(behind) === text.charAt(mark)) behind += 1;
    at = behind;
    const start = lineStart(text, mark);
    if (start === null || (indentation === 'three' && !/^ {0,3}$/.test(text.slice(start, mark)))) continue;
    const end = lineEnd(text, behind);
    lines.push({ start, mark, behind, end, rest: end === behind ? '' : text.slice(behind, end).trim() });
    at = end;
  }
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? Infinity : at;
}

/** Where the line of a mark begins; null where there is more than white space before the mark. */
function lineStart(text: string, mark: number): number | null {
  let start = mark;
  while (text.charAt(start - 1) === ' ' || text.charAt(start - 1) === '\t') start -= 1;
  return start === 0 || isLineEnd(text.charAt(start - 1)) ? start : null;
}

function lineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isLineEnd(text.charAt(end))) end += 1;
  return end;
}

function afterLineEnd(text: string, end: number): number {
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(end + 1, text.length);
}

function beforeLineEnd(text: string, start: number): number {
  return text.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
}

function isLineEnd(character: string): boolean {
  return character === '\n' || character === '\r';
}

/** Backticks behind backticks make a code span, not a fence. */
function opens(text: string, { mark, rest }: FenceLine): boolean {
  return !(text.charAt(mark) === '`' && rest.includes('`'));
}

function closes(text: string, line: FenceLine | undefined, open: FenceLine): boolean {
  if (line?.rest !== '' || text.charAt(line.mark) !== text.charAt(open.mark)) return false;
  return line.behind - line.mark >= open.behind - open.mark;
}
