import { isMap, isScalar, LineCounter } from 'yaml';
import { type Diagnostic, type DiagnosticCode, diagnostic } from '../diagnostic.ts';
import type { FrontmatterKey, Place } from '../frontmatter-key.ts';
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
  | { readonly kind: 'invalid'; readonly message: string; readonly place: Place; readonly faults: number };

type PlaceOf = (offset: number) => Required<Place>;

/** Reads the text as YAML. `firstLine` is the line of the file that its first line is. */
export function readYaml(text: string, firstLine: number, path: string): YamlReading {
  const counter = new LineCounter();
  const placeOf: PlaceOf = (offset) => {
    const { line, col } = counter.linePos(offset);
    return { line: firstLine + Math.max(0, line - 1), column: Math.max(1, col) };
  };
  const { document, problem } = parseYaml(text, counter);
  const directive = directiveOffset(text);
  if (directive !== -1) return refused('a YAML directive', placeOf(directive), path);
  if (problem) {
    const faults = document?.errors.length ?? Number.POSITIVE_INFINITY;
    return { kind: 'invalid', message: problem.message, place: placeOf(problem.offset), faults };
  }
  const walk = new YamlWalk(text);
  const keys = readKeys(document, walk, placeOf);
  if (walk.alias) {
    const place = placeOf(walk.alias.offset);
    // `paths: *.ts` is an alias to YAML and a pattern to its author; only one with an anchor is meant as an alias.
    if (walk.features.has('anchor')) return refused('a YAML alias', place, path);
    return { kind: 'invalid', message: `*${walk.alias.name} is an alias`, place, faults: 1 };
  }
  const diagnostics = remarks(walk, placeOf, path);
  const features = new Map([...walk.features].map(([feature, offset]) => [feature, placeOf(offset).line]));
  if (document.contents !== null && !isMap(document.contents))
    diagnostics.push(
      diagnostic('frontmatter-not-a-map', path, firstLine, 'the frontmatter is not a map of keys'),
    );
  return { kind: 'read', frontmatter: { keys, features, diagnostics } };
}

function readKeys(document: YamlDocument, walk: YamlWalk, placeOf: PlaceOf): Map<string, FrontmatterKey> {
  const keys = new Map<string, FrontmatterKey>();
  if (!isMap(document.contents)) {
    walk.toJson(document.contents);
    return keys;
  }
  for (const [key, offset, node] of walk.members(document.contents)) {
    keys.set(key, {
      value: walk.toJson(node),
      source: isScalar(node) && typeof node.source === 'string' ? node.source : null,
      line: placeOf(offset).line,
      placeAt: (path) => placeOf(offsetAt(node, path, offset)),
    });
  }
  return keys;
}

function remarks(walk: YamlWalk, placeOf: PlaceOf, path: string): Diagnostic[] {
  const remark = (code: DiagnosticCode, offset: number, message: string): Diagnostic => {
    const { line, column } = placeOf(offset);
    return diagnostic(code, path, line, message, column);
  };
  const found = walk.duplicates.map(({ key, offset }) =>
    remark('key-duplicate', offset, `the key ${JSON.stringify(key)} stands here again`),
  );
  const tag = walk.features.get('tag');
  if (tag !== undefined) found.push(remark('yaml-tag', tag, 'the value has a YAML tag'));
  return found;
}

function refused(what: string, { line, column }: Required<Place>, path: string): YamlReading {
  const diagnostics = [diagnostic('yaml-refused', path, line, `the frontmatter has ${what}`, column)];
  return { kind: 'refused', frontmatter: { keys: new Map(), features: new Map(), diagnostics } };
}
