/**
 * A tool list as authors write it: separated by commas or white space, but never inside parentheses, which may nest:
 * `Bash(git diff:*), Read` and `Bash(git:*) Bash(echo (a b)) Read`. An unclosed parenthesis runs to the end.
 */
export function splitTools(text: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let current = '';
  for (const character of text) {
    if (depth === 0 && (character === ',' || /\s/.test(character))) {
      if (current !== '') tools.push(current);
      current = '';
      continue;
    }
    if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    current += character;
  }
  if (current.trim() !== '') tools.push(current.trim());
  return tools;
}
