import { isMap, isScalar, LineCounter } from 'yaml';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import type { FrontmatterKey } from './frontmatter-key.ts';
import { directiveOffset, parseYaml, type YamlDocument } from './yaml-document.ts';
import type { YamlFeatures } from './yaml-features.ts';
import { offsetAt, YamlWalk } from './yaml-walk.ts';

export interface Frontmatter {
  readonly keys: ReadonlyMap<string, FrontmatterKey>;
  readonly features: YamlFeatures;
  readonly diagnostics: readonly Diagnostic[];
}

/** `invalid`: not YAML, though a gentler reader may make something of it. `refused`: YAML that is never accepted. */
export type YamlReading =
  | { readonly kind: 'read' | 'refused'; readonly frontmatter: Frontmatter }
  | { readonly kind: 'invalid'; readonly message: string; readonly line: number; readonly faults: number };

/** Reads the text as YAML. `firstLine` is the line of the file that its first line is. */
export function readYaml(text: string, firstLine: number, path: string): YamlReading {
  const counter = new LineCounter();
  const lineOf = (offset: number): number => firstLine + Math.max(0, counter.linePos(offset).line - 1);
  const { document, problem } = parseYaml(text, counter);
  const directive = directiveOffset(text);
  if (directive !== -1) return refused('a YAML directive', lineOf(directive), path);
  if (problem) {
    const faults = document?.errors.length ?? Number.POSITIVE_INFINITY;
    return { kind: 'invalid', message: problem.message, line: lineOf(problem.offset), faults };
  }
  const walk = new YamlWalk(text);
  const keys = readKeys(document, walk, lineOf);
  if (walk.alias) {
    const line = lineOf(walk.alias.offset);
    // `paths: *.ts` is an alias to YAML and a pattern to its author; only one with an anchor is meant as an alias.
    if (walk.features.has('anchor')) return refused('a YAML alias', line, path);
    return { kind: 'invalid', message: `*${walk.alias.name} is an alias`, line, faults: 1 };
  }
  const diagnostics = remarks(document, walk, lineOf, path);
  const features = new Map([...walk.features].map(([feature, offset]) => [feature, lineOf(offset)]));
  if (document.contents !== null && !isMap(document.contents))
    diagnostics.push(
      diagnostic('frontmatter-not-a-map', path, firstLine, 'the frontmatter is not a map of keys'),
    );
  return { kind: 'read', frontmatter: { keys, features, diagnostics } };
}

function readKeys(
  document: YamlDocument,
  walk: YamlWalk,
  lineOf: (offset: number) => number,
): Map<string, FrontmatterKey> {
  const keys = new Map<string, FrontmatterKey>();
  if (!isMap(document.contents)) {
    walk.toJson(document.contents);
    return keys;
  }
  for (const [key, offset, node] of walk.members(document.contents)) {
    keys.set(key, {
      value: walk.toJson(node),
      source: isScalar(node) && typeof node.source === 'string' ? node.source : null,
      line: lineOf(offset),
      lineAt: (path) => lineOf(offsetAt(node, path, offset)),
    });
  }
  return keys;
}

function remarks(
  document: YamlDocument,
  walk: YamlWalk,
  lineOf: (offset: number) => number,
  path: string,
): Diagnostic[] {
  const found = walk.duplicates.map(({ key, offset }) =>
    diagnostic('key-duplicate', path, lineOf(offset), `the key ${JSON.stringify(key)} stands here again`),
  );
  const tag = walk.features.get('tag');
  if (tag !== undefined) found.push(diagnostic('yaml-tag', path, lineOf(tag), 'the value has a YAML tag'));
  const [indent] = document.warnings;
  if (indent)
    found.push(diagnostic('yaml-indent', path, lineOf(indent.pos[0]), 'the closing bracket is not indented'));
  return found;
}

function refused(what: string, line: number, path: string): YamlReading {
  const diagnostics = [diagnostic('yaml-refused', path, line, `the frontmatter has ${what}`)];
  return { kind: 'refused', frontmatter: { keys: new Map(), features: new Map(), diagnostics } };
}
