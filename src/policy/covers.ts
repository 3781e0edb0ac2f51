import { namedFarWords, namesFarWords } from './far-options.ts';
import type { Pattern } from './pattern.ts';
import type { Specifier } from './specifier.ts';
import { specifierKind } from './tool-kind.ts';
import { compileWildcard } from './wildcard.ts';

/** In no pattern: only a `*` of the other one can stand for it, and then that stands for anything. */
const ANYTHING = '\uf8ff';
const WHOLE_FOLDER = /^([^*]*)\/\*\*$/;

/** Whether one pattern means every call that the other one means. Never a false yes; where it is hard to say, no. */
export function patternCovers(outer: Pattern, inner: Pattern): boolean {
  const tool = inner.tool.replaceAll('*', ANYTHING);
  const below = `${inner.tool}__${ANYTHING}`;
  if (!outer.matchesTool(tool)) return false;
  // A server means all of its tools as well.
  if (inner.matchesTool(below) && !outer.matchesTool(below)) return false;
  if (outer.specifier === null) return true;
  return inner.specifier !== null && specifierCovers(outer.specifier, inner.specifier, inner.tool);
}

function specifierCovers(outer: Specifier, inner: Specifier, tool: string): boolean {
  if (outer.text === inner.text && (outer.open || !inner.open)) return true;
  switch (specifierKind(tool)) {
    case 'command':
    case 'cmdlet':
      return (
        namesFarWords(namedFarWords(outer.text), namedFarWords(inner.text)) && sourcesCover(outer, inner)
      );
    case 'text':
    case 'domain':
      return sourcesCover(outer, inner);
    case 'name':
      return !inner.open && !inner.text.includes('*') && outer.matches(inner.text);
    case 'path': {
      if (!inner.text.includes('*')) return outer.matches(inner.text);
      const folder = WHOLE_FOLDER.exec(outer.text)?.[1];
      return folder !== undefined && inner.text.startsWith(`${folder}/`);
    }
    case 'none':
      return false;
  }
}

function sourcesCover(outer: Specifier, inner: Specifier): boolean {
  return inner.sources.every((source) => {
    const text = source.replaceAll('*', ANYTHING);
    return outer.sources.some((wider) => compileWildcard(wider, 'text')(text));
  });
}
