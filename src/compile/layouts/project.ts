import type { Provider } from '../../catalog/provenance.ts';
import { SKILL_LIMITS } from '../../core/limits.ts';
import { type Diagnostic, diagnostic } from '../../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../../format/parse-skill.ts';
import { type Laid, type Layout } from '../definition.ts';
import { inFolder, type TreeIndex } from '../tree-index.ts';
import { commandsOf } from './commands.ts';
import { skillsOfRoot } from './roots.ts';

/** The folders in which agents look for a project's skills, and whose convention each is. */
export const CONVENTIONS: readonly {
  readonly folder: string;
  readonly provider: Provider;
  readonly namedByFolder: boolean;
}[] = [
  { folder: '.claude/skills', provider: 'claude', namedByFolder: true },
  { folder: '.agents/skills', provider: 'agents', namedByFolder: false },
  { folder: '.codex/skills', provider: 'codex', namedByFolder: false },
  { folder: '.github/skills', provider: 'github', namedByFolder: false },
];

const COMMANDS = '.claude/commands';
const WORKFLOWS = '.claude/workflows';
const FOLDERS = [...CONVENTIONS.map(({ folder }) => folder), COMMANDS, WORKFLOWS];

/** Whether a path of a project is one that the layout looks at. */
export function isProjectPath(path: string): boolean {
  return FOLDERS.some((folder) => `/${path}`.includes(`/${folder}/`));
}

/**
 * A project's own folders and, in a monorepo, those of its parts: `packages/a/.claude/skills/x` is active once something
 * below `packages/a` was touched. Commands and workflow commands lie at the top only.
 */
export const projectLayout: Layout = (index, root) => {
  const laid = CONVENTIONS.flatMap(({ folder, provider, namedByFolder }) =>
    scopesOf(index, root, folder).map(({ scope, path }): Laid => {
      const at = inFolder(root, path);
      if (scope.length <= SKILL_LIMITS.scopeCharacters)
        return skillsOfRoot(index, at, { provider, namedByFolder, scope: scope === '' ? null : scope });
      const tooLong = diagnostic('path-unsafe', at, 1, 'the path is too long to be a scope: not loaded');
      return { definitions: [], diagnostics: [tooLong] };
    }),
  );
  laid.push(
    commandsOf(index, inFolder(root, COMMANDS), { kind: 'command', provider: 'claude' }),
    commandsOf(index, inFolder(root, WORKFLOWS), { kind: 'workflow-command', provider: 'claude' }),
  );
  return together(laid);
};

/** Every place of one convention. A root inside another one's skill is an example of its author's, and no root. */
function scopesOf(index: TreeIndex, root: string, folder: string): { scope: string; path: string }[] {
  const scopes = new Map<string, string>();
  for (const { path } of index.below(root)) {
    if (!path.endsWith(`/${SKILL_FILE_NAME}`)) continue;
    const start = `/${path}`.indexOf(`/${folder}/`);
    if (start === -1) continue;
    const scope = path.slice(0, Math.max(0, start - 1));
    const inside = CONVENTIONS.some((other) => `/${scope}/`.includes(`/${other.folder}/`));
    if (!inside) scopes.set(scope, inFolder(scope, folder));
  }
  return [...scopes].map(([scope, path]) => ({ scope, path }));
}

export function together(laid: readonly Laid[]): Laid {
  const diagnostics: Diagnostic[] = laid.flatMap((one) => one.diagnostics);
  return { definitions: laid.flatMap((one) => one.definitions), diagnostics };
}
