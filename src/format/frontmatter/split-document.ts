import { type Diagnostic, diagnostic } from '../diagnostic.ts';

/** A SKILL.md taken apart. Lines are 1-based in the file as it was read. */
export interface SplitDocument {
  /** The text between the two fences, without them; null where the document has no frontmatter. */
  readonly frontmatter: string | null;
  readonly frontmatterLine: number;
  readonly body: string;
  readonly diagnostics: readonly Diagnostic[];
}

const FENCE = /^---[ \t]*$/;

/**
 * The frontmatter fence must be the very first line, and closes at the next line that is a fence at column 0: a
 * document that merely contains two horizontal rules has none. An unclosed fence makes the whole text the body.
 */
export function splitDocument(text: string, path: string): SplitDocument {
  const diagnostics: Diagnostic[] = [];
  let source = text;
  if (source.startsWith('\uFEFF')) {
    source = source.slice(1);
    diagnostics.push(diagnostic('byte-order-mark', path, 1, 'the file begins with a byte order mark'));
  }
  if (source.includes('\r')) {
    const line = source.slice(0, source.indexOf('\r')).split('\n').length;
    source = source.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    diagnostics.push(diagnostic('carriage-returns', path, line, 'the file has carriage returns'));
  }
  const firstEnd = lineEnd(source, 0);
  if (firstEnd > 3 && FENCE.test(source.slice(0, firstEnd)))
    diagnostics.push(diagnostic('fence-spaces', path, 1, 'spaces stand behind the dashes of the first line'));
  if (!FENCE.test(source.slice(0, firstEnd))) {
    diagnostics.push(diagnostic('frontmatter-missing', path, 1, 'the file has no frontmatter'));
    return { frontmatter: null, frontmatterLine: 1, body: source, diagnostics };
  }
  for (let start = firstEnd + 1; start <= source.length;) {
    const end = lineEnd(source, start);
    if (FENCE.test(source.slice(start, end))) {
      const frontmatter = source.slice(firstEnd + 1, Math.max(firstEnd + 1, start - 1));
      return { frontmatter, frontmatterLine: 2, body: source.slice(end + 1), diagnostics };
    }
    start = end + 1;
  }
  diagnostics.push(diagnostic('frontmatter-unclosed', path, 1, 'the frontmatter is never closed'));
  return { frontmatter: null, frontmatterLine: 1, body: source, diagnostics };
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}
