import { isUntrusted } from '../../catalog/provenance.ts';
import type { CatalogEntry } from '../../catalog/catalog-entry.ts';
import type { SkillFields } from '../../format/fields/skill-fields.ts';
import { EXPANSION_RULES, type ExpansionMode } from '../../prompt/expansion-mode.ts';

/** What only a plugin's host knows: where it has the plugin, and what its user configured. */
export interface PluginHost {
  readonly root?: string | undefined;
  readonly data?: string | undefined;
  readonly config?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** What a host says of itself, for the variables of a body. */
export interface PromptHost {
  readonly session: string | null;
  readonly effort: SkillFields['effort'];
  readonly projectDirectory: string | null;
  readonly plugin: PluginHost | null;
}

/**
 * `${...}` in a body. What nobody said stays as it is: an invented session or folder would mislead. A plugin's options are
 * those that its manifest declares, with its defaults where the host says nothing. Skills from anybody do not learn which
 * session and project they are in.
 */
export function promptVariables(
  { plugin, trust }: Pick<CatalogEntry, 'plugin' | 'trust'>,
  effort: SkillFields['effort'],
  directory: string,
  host: PromptHost,
  mode: ExpansionMode,
): Record<string, string> {
  const { foreignNames } = EXPANSION_RULES[mode];
  const variables: Record<string, string> = {};
  const say = (name: string, value: string | number | null | undefined): void => {
    if (value !== null && value !== undefined) variables[name] = String(value);
  };
  say('CLAUDE_SKILL_DIR', directory);
  // The skill's own effort holds for the turn that the body is read in.
  say('CLAUDE_EFFORT', effort ?? host.effort);
  if (foreignNames) say('HERMES_SKILL_DIR', directory);
  if (!isUntrusted(trust)) {
    say('CLAUDE_SESSION_ID', host.session);
    say('CLAUDE_PROJECT_DIR', host.projectDirectory);
    if (foreignNames) say('HERMES_SESSION_ID', host.session);
  }
  if (plugin === null) return variables;
  say('CLAUDE_PLUGIN_ROOT', host.plugin?.root);
  say('CLAUDE_PLUGIN_DATA', host.plugin?.data);
  const config = host.plugin?.config ?? {};
  for (const [name, otherwise] of Object.entries(plugin.options)) {
    const value = (Object.hasOwn(config, name) ? config[name] : undefined) ?? otherwise;
    if (value !== null) variables[`user_config.${name}`] = String(value);
  }
  return variables;
}
