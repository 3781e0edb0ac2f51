import type { Provider } from '../../catalog/provenance.ts';
import { isPlainText } from '../../core/plain-text.ts';
import { type Diagnostic, diagnostic } from '../../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../../format/parse-skill.ts';
import { type Laid, type Layout, plainDefinition, type SkillDefinition } from '../definition.ts';
import { inFolder, type TreeIndex } from '../tree-index.ts';

export interface RootOptions {
  readonly provider: Provider;
  /** Claude Code takes the folder's name, whatever the frontmatter says; the others ask the frontmatter first. */
  readonly namedByFolder: boolean;
  readonly scope?: string | null;
}

/**
 * `ROOT/NAME/SKILL.md`, exactly one level, as Claude Code, oh-my-pi and the agentskills guide read their roots. Loose
 * files are ignored; a SKILL.md that lies elsewhere is not loaded, and said so.
 */
export function rootsLayout(options: RootOptions): Layout {
  return (index, root) => skillsOfRoot(index, root, options);
}

export function skillsOfRoot(index: TreeIndex, root: string, options: RootOptions): Laid {
  const definitions: SkillDefinition[] = [];
  const diagnostics: Diagnostic[] = [];
  const parts = index.below(root).map((part) => ({ ...part, segments: part.path.split('/') }));
  const found = new Set<string>();
  for (const { file, segments } of parts) {
    const [name = '', second] = segments;
    if (segments.length !== 2 || second !== SKILL_FILE_NAME) continue;
    found.add(name);
    const skill = index.skill(inFolder(root, name));
    if (!isPlainText(name)) {
      diagnostics.push(
        diagnostic('path-unsafe', file.path, 1, 'the folder cannot name a skill: control characters'),
      );
    } else if (skill) {
      const { provider, namedByFolder, scope = null } = options;
      const rule = namedByFolder ? { fixed: name } : { prefix: '' };
      definitions.push(plainDefinition(skill, { provider, scope, name: rule }));
    }
  }
  for (const { file, segments } of parts) {
    if (segments.at(-1) !== SKILL_FILE_NAME || found.has(segments[0] ?? '')) continue;
    diagnostics.push(
      diagnostic('skill-misplaced', file.path, 1, `not one folder below ${root || 'the source'}: not loaded`),
    );
  }
  return { definitions, diagnostics };
}
