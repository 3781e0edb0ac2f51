import { diagnostic } from '../../format/diagnostic.ts';
import type { Laid, Layout } from '../definition.ts';
import { readManifest } from '../read-manifest.ts';
import { inFolder } from '../tree-index.ts';
import { MarketplaceManifest, pathBelow, PluginManifest } from './plugin-manifest.ts';
import { PLUGIN_FILE, pluginSkills } from './plugin.ts';
import { together } from './project.ts';

const MARKETPLACE_FILE = '.claude-plugin/marketplace.json';

/**
 * The plugins of a marketplace that lie in the same tree. Those on GitHub, at a URL or in an archive are not fetched by
 * a build, and said so. Where a plugin has no plugin.json, its entry in the marketplace is all that it says.
 */
export const marketplaceLayout: Layout = async (index, root) => {
  const path = inFolder(root, MARKETPLACE_FILE);
  const file = index.file(path);
  if (!file)
    return {
      definitions: [],
      diagnostics: [diagnostic('plugin-invalid', path, 1, `no ${MARKETPLACE_FILE}`)],
    };
  const manifest = await readManifest(file, MarketplaceManifest, 'plugin-invalid');
  if (!manifest.ok) return { definitions: [], diagnostics: manifest.error };
  const { value, line } = manifest.value;
  const laid: Laid[] = [];
  for (const [position, entry] of value.plugins.entries()) {
    const at = line(['plugins', position, 'source']);
    if (typeof entry.source !== 'string') {
      const message = `the plugin "${entry.name}" comes from ${entry.source.source ?? 'elsewhere'}`;
      laid.push({ definitions: [], diagnostics: [diagnostic('plugin-elsewhere', path, at, message)] });
      continue;
    }
    const folder = pathBelow(`${value.metadata?.pluginRoot ?? ''}/./${entry.source}`.replace(/^\/+/, ''));
    const pluginRoot = folder === null ? null : [root, folder].filter(Boolean).join('/');
    if (pluginRoot === null || index.below(pluginRoot).length === 0) {
      const message = `the plugin "${entry.name}" is not at ${JSON.stringify(entry.source)}`;
      laid.push({ definitions: [], diagnostics: [diagnostic('plugin-invalid', path, at, message)] });
      continue;
    }
    const own = index.file(inFolder(pluginRoot, PLUGIN_FILE));
    const read = own ? await readManifest(own, PluginManifest, 'plugin-invalid') : null;
    if (read?.ok === false) laid.push({ definitions: [], diagnostics: read.error });
    else if (own && read) {
      const { value: plugin, line } = read.value;
      const place = { builtin: false, alone: false, path: own.path, line };
      // What the marketplace names beside the plugin's own manifest counts too; the marketplace's name is the one in use.
      const named = [...(plugin.skills ?? []), ...(entry.skills ?? [])];
      const skills = named.length > 0 ? named : undefined;
      laid.push(pluginSkills(index, pluginRoot, { ...plugin, name: entry.name, skills }, place));
    } else {
      const place = {
        builtin: false,
        alone: true,
        path,
        line: (below: readonly PropertyKey[]) => line(['plugins', position, ...below]),
      };
      laid.push(pluginSkills(index, pluginRoot, entry, place));
    }
  }
  return together(laid);
};
