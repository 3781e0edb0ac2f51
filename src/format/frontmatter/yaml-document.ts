import { type LineCounter, parseDocument } from 'yaml';

export type YamlDocument = ReturnType<typeof parseDocument>;

/** What keeps a document from being read: a sentence, and the character where it went wrong. */
export interface YamlProblem {
  readonly message: string;
  readonly offset: number;
}

/** YAML 1.2 core. Aliases and tags are looked for by whoever walks the document. Never throws. */
export function parseYaml(
  text: string,
  lines?: LineCounter,
): { document: YamlDocument; problem: null } | { document: YamlDocument | null; problem: YamlProblem } {
  try {
    // stringKeys: `? ` nesting hangs without it. uniqueKeys: its check is quadratic, that of the walk is not.
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      stringKeys: true,
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: 'error',
      ...(lines ? { lineCounter: lines } : {}),
    });
    const found = document.errors[0] ?? document.warnings[0];
    if (!found) return { document, problem: null };
    return { document, problem: { message: firstSentence(found.message), offset: found.pos[0] } };
  } catch (error) {
    // The parser recurses; what the bounds let through can still be too deep for a small stack.
    const message = error instanceof Error ? firstSentence(error.message) : 'the parser failed';
    return { document: null, problem: { message, offset: 0 } };
  }
}

/** The offset of a directive (`%YAML 1.1`), which can stand only before everything but comments; -1 without one. */
export function directiveOffset(text: string): number {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (line.startsWith('%')) return start;
    if (end === -1 || !/^[ \t]*(?:#|$)/.test(line)) return -1;
    start = end + 1;
  }
  return -1;
}

function firstSentence(message: string): string {
  return message.split(/\n| at line /, 1)[0] ?? message;
}
