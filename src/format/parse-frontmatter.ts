import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Json } from '../core/canonical-json.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import type { FrontmatterKey } from './frontmatter-key.ts';
import { quoteRiskyLines, readLines } from './recover-frontmatter.ts';

export interface Frontmatter {
  readonly keys: ReadonlyMap<string, FrontmatterKey>;
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING: ReadonlyMap<string, FrontmatterKey> = new Map();

/**
 * Lenient to load, strict to report: YAML 1.2 core first, then again with the lines quoted that YAML stumbled over, then
 * line by line. The text is bounded in size and depth before any parser sees it.
 */
export function parseFrontmatter(text: string, firstLine: number, path: string): Frontmatter {
  if (new TextEncoder().encode(text).length > SKILL_LIMITS.frontmatterBytes) {
    return refused('frontmatter-too-large', 'the frontmatter is larger than 16 KiB', firstLine, path);
  }
  if (nesting(text) > SKILL_LIMITS.frontmatterDepth) {
    return refused('frontmatter-too-deep', 'the frontmatter is nested too deep', firstLine, path);
  }
  const first = readYaml(text, firstLine, path);
  if (first.kind !== 'invalid') return first.frontmatter;
  const repaired = quoteRiskyLines(text);
  if (repaired.changed.length > 0) {
    const second = readYaml(repaired.text, firstLine, path);
    if (second.kind === 'read') {
      const remarks = repaired.changed.map((line) =>
        diagnostic(
          'yaml-repaired',
          path,
          firstLine + line,
          `YAML needs quotes around this value: ${first.message}`,
        ),
      );
      return { keys: second.frontmatter.keys, diagnostics: [...remarks, ...second.frontmatter.diagnostics] };
    }
  }
  const remark = diagnostic('yaml-invalid', path, first.line, `YAML cannot read this: ${first.message}`);
  return { keys: readLines(text, firstLine), diagnostics: [remark] };
}

type Attempt =
  | { kind: 'read' | 'refused'; frontmatter: Frontmatter }
  | { kind: 'invalid'; message: string; line: number };

function readYaml(text: string, firstLine: number, path: string): Attempt {
  const lines = new LineCounter();
  const lineOf = (offset: number): number => firstLine + lines.linePos(offset).line - 1;
  const refusal = (what: string, offset: number): Attempt => {
    const frontmatter = refused('yaml-refused', `the frontmatter has ${what}`, lineOf(offset), path);
    return { kind: 'refused', frontmatter };
  };
  let document: ReturnType<typeof parseDocument>;
  try {
    // stringKeys: `? ` nesting hangs without it. uniqueKeys: its check is quadratic, ours below is not.
    document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      stringKeys: true,
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter: lines,
    });
  } catch (error) {
    return {
      kind: 'invalid',
      message: error instanceof Error ? firstSentence(error.message) : 'parser failed',
      line: firstLine,
    };
  }
  const directive = text.search(/^%/m);
  if (directive !== -1) return refusal('a YAML directive', directive);
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem)
    return { kind: 'invalid', message: firstSentence(problem.message), line: lineOf(problem.pos[0]) };
  const alias = findAlias(document);
  // `paths: *.ts` is an alias to YAML and a pattern to its author; only one with an anchor is meant as an alias.
  if (alias?.resolved === false)
    return { kind: 'invalid', message: `*${alias.name} is an alias`, line: lineOf(alias.offset) };
  if (alias) return refusal('a YAML alias', alias.offset);
  const root = document.contents;
  if (root === null) return { kind: 'read', frontmatter: { keys: NOTHING, diagnostics: [] } };
  if (!isMap(root)) {
    const remark = diagnostic(
      'frontmatter-not-a-map',
      path,
      firstLine,
      'the frontmatter is not a map of keys',
    );
    return { kind: 'read', frontmatter: { keys: NOTHING, diagnostics: [remark] } };
  }
  const keys = new Map<string, FrontmatterKey>();
  const diagnostics: Diagnostic[] = [];
  for (const pair of root.items) {
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string') continue;
    const key = pair.key.value;
    const line = lineOf(pair.key.range?.[0] ?? 0);
    if (keys.has(key))
      diagnostics.push(diagnostic('key-duplicate', path, line, `the key "${key}" stands here again`));
    const source = isScalar(pair.value) && typeof pair.value.source === 'string' ? pair.value.source : null;
    keys.set(key, { value: toJson(pair.value), source, line });
  }
  return { kind: 'read', frontmatter: { keys, diagnostics } };
}

/** The first reference to another node, the one thing of YAML beyond plain data that raises no error of its own. */
function findAlias(
  document: ReturnType<typeof parseDocument>,
): { name: string; offset: number; resolved: boolean } | null {
  let found: { name: string; offset: number; resolved: boolean } | null = null;
  visit(document, {
    Alias(_key, node) {
      found = {
        name: node.source,
        offset: node.range?.[0] ?? 0,
        resolved: node.resolve(document) !== undefined,
      };
      return visit.BREAK;
    },
  });
  return found;
}

function toJson(node: unknown): Json {
  if (isScalar(node)) return scalarJson(node.value, node.source);
  if (isSeq(node)) return node.items.map(toJson);
  if (isMap(node)) {
    // fromEntries defines own properties, so a key `__proto__` is data like any other.
    return Object.fromEntries(node.items.map((pair) => [keyText(pair.key), toJson(pair.value)]));
  }
  return null;
}

function scalarJson(value: unknown, source: string | undefined): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return source ?? String(value);
}

function keyText(key: unknown): string {
  if (isScalar(key)) return String(key.value);
  return isNode(key) ? String(key) : String(key ?? '');
}

/** An upper bound of the depth that a parser would recurse to: flow brackets, dashes on one line, and indentation. */
function nesting(text: string): number {
  let deepest = 0;
  let flow = 0;
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++flow);
    else if (character === ']' || character === '}') flow = Math.max(0, flow - 1);
    else if (character === '\n' && !isContinued(flow)) flow = 0;
  }
  const indents: number[] = [];
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length;
    if (line.trim() === '') continue;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    const marks = /^(?:[-?:] +)+/.exec(line.trimStart())?.[0].split(/ +/).length ?? 0;
    deepest = Math.max(deepest, indents.length + marks);
  }
  return deepest;
}

/** Brackets in prose rarely close; only a deep run of them is worth carrying over a line end. */
function isContinued(flow: number): boolean {
  return flow > 1;
}

function firstSentence(message: string): string {
  return message.split(/\n| at line /, 1)[0] ?? message;
}

function refused(
  code: 'frontmatter-too-large' | 'frontmatter-too-deep' | 'yaml-refused',
  message: string,
  line: number,
  path: string,
) {
  return { keys: NOTHING, diagnostics: [diagnostic(code, path, line, message)] };
}
