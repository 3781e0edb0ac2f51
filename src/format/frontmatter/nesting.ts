/** What stands in quotes on one line: brackets in there nest nothing. Each alternative ends at a line end, so it is linear. */
const QUOTED = /"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'/g;

/** Whether a text would make a parser recurse deeper than `limit`: by flow brackets, marks on one line or indentation. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  if (indentationDepth(text) > limit) return true;
  return flowDepth(text) > limit && flowDepth(text.replaceAll(QUOTED, '')) > limit;
}

/**
 * Brackets that are open at once. A line at column 0 ends what was open, as it does for YAML, because brackets in prose
 * rarely close; not so where a bracket itself stands at column 0.
 */
function flowDepth(text: string): number {
  let deepest = 0;
  let open = 0;
  let rooted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[' || character === '{') {
      if (index === 0 || text[index - 1] === '\n') rooted = true;
      open += 1;
      if (open > deepest) deepest = open;
    } else if (character === ']' || character === '}') {
      if (open > 0) open -= 1;
    } else if (character === '\n' && !rooted && /^[^\s[\]{},]/.test(text[index + 1] ?? '')) {
      open = 0;
    }
  }
  return deepest;
}

function indentationDepth(text: string): number {
  let deepest = 0;
  const indents: number[] = [];
  for (const line of text.split('\n')) {
    const content = line.trimStart();
    if (content === '') continue;
    const indent = line.length - content.length;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    const marks = /^(?:[-?:] +)+/.exec(content)?.[0].split(/ +/).length ?? 0;
    deepest = Math.max(deepest, indents.length + marks);
  }
  return deepest;
}
