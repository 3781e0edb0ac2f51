import type { CatalogEntry } from '../catalog/catalog-entry.ts';

/** What only a plugin's host knows: where it has the plugin, and what its user configured. */
export interface PluginHost {
  readonly root?: string | undefined;
  readonly data?: string | undefined;
  readonly config?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/**
 * `${...}` in a body. What nobody said stays as it is: an invented session or folder would mislead. A plugin's options are
 * those that its manifest declares, with its defaults where the host says nothing.
 */
export function promptVariables(
  { plugin }: Pick<CatalogEntry, 'plugin'>,
  directory: string,
  session: string | null,
  host: PluginHost | null,
): Record<string, string> {
  const variables: Record<string, string> = { CLAUDE_SKILL_DIR: directory };
  if (session !== null) variables['CLAUDE_SESSION_ID'] = session;
  if (plugin === null) return variables;
  if (host?.root !== undefined) variables['CLAUDE_PLUGIN_ROOT'] = host.root;
  if (host?.data !== undefined) variables['CLAUDE_PLUGIN_DATA'] = host.data;
  for (const [name, otherwise] of Object.entries(plugin.options)) {
    const said = host?.config && Object.hasOwn(host.config, name) ? host.config[name] : undefined;
    const value = said ?? otherwise;
    if (value !== null) variables[`user_config.${name}`] = String(value);
  }
  return variables;
}
