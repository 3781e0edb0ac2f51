import { z } from 'zod';
import type { PluginFacts } from '../../catalog/provenance.ts';
import { SKILL_LIMITS } from '../../core/limits.ts';

/** A plugin's name is the first part of its skills' names. */
const PluginName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'a plugin is named by letters, digits, dots, dashes; at most 64',
  );

const Paths = z
  .union([z.string(), z.array(z.string())])
  .transform((paths) => (typeof paths === 'string' ? [paths] : paths));

const Option = z.object({
  default: z.union([z.string().max(SKILL_LIMITS.pluginOptionCharacters), z.number(), z.boolean()]).optional(),
  sensitive: z.boolean().optional(),
});

/** What can stand in `${user_config.X}`. */
const OPTION_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The parts that plugin.json and an entry of marketplace.json share. */
export const PluginParts = z.object({
  version: z.string().max(SKILL_LIMITS.versionCharacters).optional(),
  skills: Paths.optional(),
  commands: Paths.optional(),
  userConfig: z.record(z.string(), Option).optional(),
});

/** `.claude-plugin/plugin.json`. Members that are about agents, hooks or servers say nothing about skills. */
export const PluginManifest = PluginParts.extend({ name: PluginName });
export type PluginManifest = z.infer<typeof PluginManifest>;

/** `.claude-plugin/marketplace.json`. Sources that are no strings name another place: GitHub, a URL, an archive. */
export const MarketplaceManifest = z.object({
  name: z.string(),
  metadata: z.object({ pluginRoot: z.string().optional() }).optional(),
  plugins: z.array(
    PluginManifest.extend({
      source: z.union([z.string(), z.looseObject({ source: z.string().optional() })]),
    }),
  ),
});

/** What `${CLAUDE_PLUGIN_ROOT}`, `${CLAUDE_PLUGIN_DATA}` and `${user_config.X}` need. A secret has no default. */
export function pluginFacts(manifest: PluginManifest, root: string): PluginFacts {
  const options = Object.entries(manifest.userConfig ?? {})
    .filter(([key]) => OPTION_NAME.test(key))
    .slice(0, SKILL_LIMITS.pluginOptions);
  return {
    name: manifest.name,
    root,
    version: manifest.version ?? null,
    options: Object.fromEntries(
      options.map(([key, option]) => [key, option.sensitive ? null : (option.default ?? null)]),
    ),
  };
}

/** A path of a manifest, `./like/this`, below the plugin; null where it leads anywhere else. */
export function pathBelow(path: string): string | null {
  if (path.startsWith('/') || path.includes('\\')) return null;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') ? null : segments.join('/');
}
