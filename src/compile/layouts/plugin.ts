import type { PluginFacts } from '../../catalog/provenance.ts';
import { type Diagnostic, diagnostic } from '../../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../../format/parse-skill.ts';
import { type Laid, type Layout, plainDefinition, type SkillDefinition } from '../definition.ts';
import { readManifest } from '../read-manifest.ts';
import { inFolder, looseSkill, parentOf, type TreeIndex } from '../tree-index.ts';
import { commandsOf } from './commands.ts';
import { pathBelow, pluginFacts, PluginManifest } from './plugin-manifest.ts';

export const PLUGIN_FILE = '.claude-plugin/plugin.json';

export interface PluginOptions {
  /** Part of the deployment: its skills come before all but bundled ones. */
  readonly builtin: boolean;
}

/** One plugin, with its manifest at `.claude-plugin/plugin.json`. */
export function pluginLayout(options: PluginOptions): Layout {
  return async (index, root) => {
    const file = index.file(inFolder(root, PLUGIN_FILE));
    if (!file) {
      const message = `no ${PLUGIN_FILE}`;
      return {
        definitions: [],
        diagnostics: [diagnostic('plugin-invalid', inFolder(root, PLUGIN_FILE), 1, message)],
      };
    }
    const manifest = await readManifest(file, PluginManifest, 'plugin-invalid');
    if (!manifest.ok) return { definitions: [], diagnostics: manifest.error };
    const { value, line } = manifest.value;
    return pluginSkills(index, root, value, { ...options, alone: false, path: file.path, line });
  };
}

export interface ManifestPlace extends PluginOptions {
  /** True where the manifest says all: skills that it does not name are not the plugin's. */
  readonly alone: boolean;
  /** The file that the manifest stands in, for remarks, and the line of a member. */
  readonly path: string;
  line(path: readonly PropertyKey[]): number;
}

/**
 * A plugin's skills and commands: `skills/NAME/SKILL.md` (`plugin:name`), deeper ones (`plugin:folder:name`),
 * `commands/**.md` (`plugin:command`, `plugin:folder:command`), and what the manifest names beside these; where it names
 * skills, of the others only those one level deep are taken. The
 * frontmatter of a skill may set the last part of its name.
 */
export function pluginSkills(
  index: TreeIndex,
  root: string,
  manifest: PluginManifest,
  place: ManifestPlace,
): Laid {
  const plugin = pluginFacts(manifest, root);
  const skills = new Map<string, SkillDefinition>();
  const commands = new Map<string, SkillDefinition>();
  const diagnostics: Diagnostic[] = [];
  const named = (member: 'skills' | 'commands', take: (path: string) => number): void => {
    for (const [position, text] of (manifest[member] ?? []).entries()) {
      const path = pathBelow(text);
      if (path !== null && take(inFolder(root, path).replace(/\/$/, '')) > 0) continue;
      const message = `${member} names ${JSON.stringify(text)}, where there is nothing of the plugin`;
      diagnostics.push(diagnostic('plugin-invalid', place.path, place.line([member, position]), message));
    }
  };
  const takeSkills = (folder: string, levels = Infinity): number => {
    const found = skillsBelow(index, folder, plugin, { builtin: place.builtin, levels });
    for (const skill of found) if (!skills.has(skill.folder)) skills.set(skill.folder, skill);
    return found.length;
  };
  const takeCommands = (path: string): number => {
    const laid = commandsAt(index, path, plugin);
    for (const command of laid.definitions)
      if (!commands.has(command.folder)) commands.set(command.folder, command);
    diagnostics.push(...laid.diagnostics);
    return laid.definitions.length;
  };
  named('skills', (folder) => takeSkills(folder));
  // Who names skills leaves others out on purpose: of the usual folder only what every plugin has is then taken.
  if (!manifest.skills) takeSkills(inFolder(root, 'skills'));
  else if (!place.alone) takeSkills(inFolder(root, 'skills'), 1);
  named('commands', takeCommands);
  if (!place.alone || !manifest.commands) takeCommands(inFolder(root, 'commands'));
  return { definitions: [...skills.values(), ...commands.values()], diagnostics };
}

/** The skill that a folder is, or the outermost ones below it; folders between are namespaces. */
function skillsBelow(
  index: TreeIndex,
  folder: string,
  plugin: PluginFacts,
  { builtin, levels }: { readonly builtin: boolean; readonly levels: number },
): SkillDefinition[] {
  const files = index.below(folder).filter(({ path }) => `/${path}`.endsWith(`/${SKILL_FILE_NAME}`));
  const folders = files.map(({ path }) => parentOf(path));
  const outermost = folders.filter(
    (path) => !folders.some((other) => other !== path && (other === '' || path.startsWith(`${other}/`))),
  );
  return outermost.flatMap((path) => {
    if (path.split('/').length > levels) return [];
    const skill = index.skill(path === '' ? folder : inFolder(folder, path));
    if (!skill) return [];
    const prefix = [plugin.name, ...parentOf(path).split('/').filter(Boolean), ''].join(':');
    const kind = builtin ? 'builtin-plugin-skill' : 'plugin-skill';
    return [plainDefinition(skill, { kind, provider: 'claude-plugins', plugin, name: { prefix } })];
  });
}

/** A folder of commands, or one command's file. */
function commandsAt(index: TreeIndex, path: string, plugin: PluginFacts): Laid {
  const prefix = `${plugin.name}:`;
  const options = { kind: 'plugin-command', provider: 'claude-plugins', prefix, plugin } as const;
  const file = path.endsWith('.md') ? index.file(path) : null;
  if (!file) return commandsOf(index, path, options);
  const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
  const command = plainDefinition(looseSkill(file), {
    kind: 'plugin-command',
    provider: 'claude-plugins',
    listed: 'if-described',
    plugin,
    name: { fixed: `${prefix}${name}` },
  });
  return { definitions: [command], diagnostics: [] };
}
