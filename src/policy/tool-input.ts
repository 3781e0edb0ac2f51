import { canonicalJson, type Json } from '../core/canonical-json.ts';

/** The member of a tool's input that rules are about. */
const MEMBERS: Readonly<Record<string, string>> = {
  Bash: 'command',
  PowerShell: 'command',
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  Glob: 'path',
  Grep: 'path',
  LS: 'path',
  WebFetch: 'url',
};

/** A tool's input, as the tool takes it, in the text that rules are compared with. */
export function toolInputText(tool: string, input: Json): string {
  if (typeof input === 'string') return input;
  const member = Object.hasOwn(MEMBERS, tool) ? MEMBERS[tool] : undefined;
  const text = member === undefined ? undefined : memberOf(input, member);
  if (text !== undefined) return text;
  if (tool === 'Skill') {
    const skill = memberOf(input, 'skill');
    if (skill !== undefined) return `${skill} ${memberOf(input, 'args') ?? ''}`;
  }
  return canonicalJson(input);
}

function memberOf(input: Json, member: string): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const found: unknown = Object.entries(input).find(([name]) => name === member)?.[1];
  return typeof found === 'string' ? found : undefined;
}
