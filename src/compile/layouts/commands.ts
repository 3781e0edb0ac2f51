import type { PluginFacts, Provider, SkillKind } from '../../catalog/provenance.ts';
import { isPlainText } from '../../core/plain-text.ts';
import { SKILL_LIMITS } from '../../core/limits.ts';
import { type Diagnostic, diagnostic } from '../../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../../format/parse-skill.ts';
import { type Laid, type Layout, plainDefinition, type SkillDefinition } from '../definition.ts';
import type { SkillFolder } from '../skill-folder.ts';
import { inFolder, looseSkill, parentOf, type TreeIndex } from '../tree-index.ts';

export interface CommandOptions {
  readonly kind: Extract<SkillKind, 'command' | 'workflow-command' | 'plugin-command'>;
  readonly provider: Provider;
  /** `plugin:` in front of every name. */
  readonly prefix?: string;
  readonly plugin?: PluginFacts;
}

/** Claude Code's older form of a skill: one Markdown file, whose folders are part of its name. */
export function commandsLayout(options: CommandOptions): Layout {
  return (index, root) => commandsOf(index, root, options);
}

/**
 * `x.md` is `x`, `dir/x.md` is `dir:x`, and a folder with a SKILL.md is one command under the folder's name; other files
 * in that folder belong to it.
 */
export function commandsOf(index: TreeIndex, root: string, options: CommandOptions): Laid {
  const definitions: SkillDefinition[] = [];
  const diagnostics: Diagnostic[] = [];
  const parts = index.below(root);
  const folders = parts
    .filter(({ path }) => path.endsWith(`/${SKILL_FILE_NAME}`))
    .map(({ path }) => parentOf(path));
  const add = (path: string, skill: SkillFolder): void => {
    const name = `${options.prefix ?? ''}${path.replaceAll('/', ':')}`;
    if (!isPlainText(name) || name.length > SKILL_LIMITS.commandNameCharacters) {
      const message = 'the path cannot name a command: too long, or control characters';
      diagnostics.push(diagnostic('path-unsafe', skill.skillFile.path, 1, message));
      return;
    }
    const { kind, provider, plugin = null } = options;
    const listed = kind === 'plugin-command' ? 'if-described' : 'always';
    definitions.push(plainDefinition(skill, { kind, provider, plugin, listed, name: { fixed: name } }));
  };
  for (const { path, file } of parts) {
    const outer = folders.find((folder) => path.startsWith(`${folder}/`));
    if (outer !== undefined) {
      const skill = path === inFolder(outer, SKILL_FILE_NAME) ? index.skill(inFolder(root, outer)) : null;
      if (skill) add(outer, skill);
    } else if (path.endsWith('.md') && path !== SKILL_FILE_NAME) {
      add(path.slice(0, -'.md'.length), looseSkill(file));
    }
  }
  return { definitions, diagnostics };
}
