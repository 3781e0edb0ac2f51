import { matchSegment, matchStretching, parseSegment, type SegmentPattern } from './match-segment.ts';

/** A path as its segments, each as its characters. */
export type PathSegments = readonly (readonly string[])[];

/** Two stars or more that fill a segment: any number of whole segments. */
const DEEP = Symbol('**');

interface Rule {
  readonly negated: boolean;
  /** Written with a `/` at its end: the pattern is about folders. */
  readonly folder: boolean;
  readonly segments: readonly (SegmentPattern | typeof DEEP)[];
}

/**
 * Whether the patterns take in a path, as git would say of a `.gitignore` in the root: the last pattern that matches
 * decides, and what takes in a folder takes in everything below it. Upper and lower case are different.
 */
export function compileGitignore(patterns: readonly string[]): (path: PathSegments) => boolean {
  const rules = patterns.flatMap(parseRule);
  return (path) => {
    for (let length = 1; length <= path.length; length += 1) {
      const folder = length < path.length;
      const part = path.slice(0, length);
      const last = rules.findLast((rule) => (folder || !rule.folder) && matchesRule(rule, part));
      if (last !== undefined && !last.negated) return true;
    }
    return false;
  };
}

function matchesRule(rule: Rule, path: PathSegments): boolean {
  return matchStretching(
    rule.segments,
    path,
    (pattern) => pattern === DEEP,
    (pattern, segment) => pattern !== DEEP && matchSegment(pattern, segment),
  );
}

function parseRule(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  const negated = line.startsWith('!');
  // Spaces at the end count only behind a backslash.
  let text = (negated ? line.slice(1) : line).replace(/(?<![\\ ]) +$/, '');
  const folder = text.endsWith('/');
  if (folder) text = text.slice(0, -1);
  const anchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  if (text === '') return [];
  const segments: (SegmentPattern | typeof DEEP)[] = anchored ? [] : [DEEP];
  for (const part of text.split('/')) {
    const segment = /^\*\*+$/.test(part) ? DEEP : parseSegment(part);
    if (segment === null) return [];
    segments.push(segment);
  }
  // `a/**` is what lies below a, and not a itself.
  const any = parseSegment('*');
  if (segments.at(-1) === DEEP && any !== null) segments.push(any);
  return [{ negated, folder, segments }];
}
