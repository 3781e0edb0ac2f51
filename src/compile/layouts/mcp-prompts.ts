import { stringify } from 'yaml';
import { z } from 'zod';
import { isPlainText } from '../../core/plain-text.ts';
import { SKILL_LIMITS, SOURCE_LIMITS } from '../../core/limits.ts';
import { type Diagnostic, diagnostic } from '../../format/diagnostic.ts';
import { type Laid, type Layout, plainDefinition, type SkillDefinition } from '../definition.ts';
import { readManifest } from '../read-manifest.ts';
import type { SourceFile } from '../source-tree.ts';
import { looseSkill } from '../tree-index.ts';

const Content = z.looseObject({ type: z.string(), text: z.string().optional() });

/**
 * Prompts as MCP's `prompts/list` and `prompts/get` give them, one file a server. `messages` is the answer to a get with
 * every argument's value being its placeholder: `{"topic": "$topic"}`.
 */
const Snapshot = z.object({
  server: z.string().min(1).max(64),
  prompts: z
    .array(
      z.object({
        name: z.string().min(1).max(SKILL_LIMITS.nameCharacters).refine(isPlainText, 'control characters'),
        title: z.string().optional(),
        description: z.string().optional(),
        arguments: z
          .array(
            z.object({ name: z.string().max(SKILL_LIMITS.nameCharacters), required: z.boolean().optional() }),
          )
          .default([]),
        messages: z.array(z.object({ role: z.string(), content: Content })).min(1),
      }),
    )
    .max(SOURCE_LIMITS.prompts),
});
type Prompt = z.infer<typeof Snapshot>['prompts'][number];

/** Snapshots of MCP prompts: every `.json` file. `mcp__server__prompt`; nothing in such a text is ever run by a shell. */
export const mcpPromptsLayout: Layout = async (index, root) => {
  const definitions: SkillDefinition[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { file } of index.below(root)) {
    if (!file.path.endsWith('.json')) continue;
    const laid = await promptsOf(file);
    definitions.push(...laid.definitions);
    diagnostics.push(...laid.diagnostics);
  }
  return { definitions, diagnostics };
};

async function promptsOf(file: SourceFile): Promise<Laid> {
  const read = await readManifest(file, Snapshot, 'prompt-invalid', SOURCE_LIMITS.promptsBytes);
  if (!read.ok) return { definitions: [], diagnostics: read.error };
  const { value, line } = read.value;
  const definitions: SkillDefinition[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [position, prompt] of value.prompts.entries()) {
    const body = bodyOf(prompt);
    if (body === null) {
      const message = `the prompt "${prompt.name}" has parts that are no text: not loaded`;
      diagnostics.push(
        diagnostic('prompt-invalid', file.path, line(['prompts', position, 'messages']), message),
      );
      continue;
    }
    const bytes = new TextEncoder().encode(`${frontmatterOf(prompt)}${body}\n`);
    const path = `${file.path}/${encodeURIComponent(prompt.name)}.md`;
    const skill = looseSkill({ path, size: bytes.length, executable: false, read: async () => bytes });
    const fixed = `mcp__${value.server.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__${prompt.name}`;
    definitions.push(plainDefinition(skill, { kind: 'mcp-prompt', provider: 'custom', name: { fixed } }));
  }
  return { definitions, diagnostics };
}

function bodyOf({ messages }: Prompt): string | null {
  const texts = messages.map(({ content }) => (content.type === 'text' ? content.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join('\n\n') : null;
}

/** What the server says of a prompt. There is always a frontmatter, so that no text of the server's can pass for one. */
function frontmatterOf({ name, title, description, arguments: parameters }: Prompt): string {
  const names = parameters.map((parameter) => parameter.name);
  const hint = parameters.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');
  const fields = {
    description: description ?? title ?? name,
    ...(names.length === 0 ? {} : { arguments: names, 'argument-hint': hint }),
  };
  return `---\n${stringify(fields)}---\n`;
}
