/**
 * What stands between the parentheses of a tool's rule: a skill's name, a command of a shell or of PowerShell, a path, the domain of a URL, or
 * just text. `none`: the tool takes no specifier.
 */
export type SpecifierKind = 'name' | 'command' | 'cmdlet' | 'path' | 'domain' | 'text' | 'none';

/** The tools whose input we can read. Their names are case-sensitive everywhere, so another case is a typo. */
const KINDS: ReadonlyMap<string, SpecifierKind> = new Map([
  ['Skill', 'name'],
  ['Bash', 'command'],
  ['PowerShell', 'cmdlet'],
  ['Read', 'path'],
  ['Write', 'path'],
  ['Edit', 'path'],
  ['MultiEdit', 'path'],
  ['NotebookEdit', 'path'],
  ['Glob', 'path'],
  ['Grep', 'path'],
  ['LS', 'path'],
  ['WebFetch', 'domain'],
]);

const BY_LOWER_CASE: ReadonlyMap<string, string> = new Map(
  [...KINDS.keys()].map((tool) => [tool.toLowerCase(), tool]),
);

export function specifierKind(tool: string): SpecifierKind {
  if (tool.includes('*') || tool.startsWith('mcp__')) return 'none';
  return KINDS.get(tool) ?? 'text';
}

/** The tool that a name means whatever its case: `bash` means `Bash`. Names we do not know mean themselves. */
export function intendedTool(name: string): string {
  return BY_LOWER_CASE.get(name.toLowerCase()) ?? name;
}
