import { z } from 'zod';
import { SKILL_LIMITS } from '../core/limits.ts';
import { isPlainText } from '../core/plain-text.ts';
import { type Layer, layerKind, type LayerKind } from './layers.ts';

/** What a skill was before it was one: each kind has its own place in the order of names. */
export const SkillKind = z.enum([
  'skill',
  'builtin-plugin-skill',
  'command',
  'workflow-command',
  'plugin-command',
  'plugin-skill',
  'mcp-prompt',
]);
export type SkillKind = z.infer<typeof SkillKind>;

/**
 * How far its source is trusted: part of the deployment, chosen by the organisation, from anybody, or written by an agent,
 * which somebody may have talked into it.
 */
export const Trust = z.enum(['builtin', 'trusted', 'community', 'agent-created']);
export type Trust = z.infer<typeof Trust>;

/** What nobody of the organisation vouches for: its text gets no commands, hooks or session, and takes no name. */
export function isUntrusted(trust: string): boolean {
  return trust === 'community' || trust === 'agent-created';
}

/** True where a source, or a publisher, of one trust can say another of a skill: the same or less. */
export function mayVouch(most: Trust, trust: Trust): boolean {
  return Trust.options.indexOf(trust) >= Trust.options.indexOf(most);
}

/** Which convention a skill was found by; some systems rank these. `native` is our own, `custom` a named folder. */
export const Provider = z.enum(['native', 'claude', 'claude-plugins', 'agents', 'codex', 'github', 'custom']);
export type Provider = z.infer<typeof Provider>;

const PlainLabel = z
  .string()
  .min(1)
  .max(SKILL_LIMITS.nameCharactersHard)
  .refine(isPlainText, 'control characters');
const OptionValue = z.union([
  z.string().max(SKILL_LIMITS.pluginOptionCharacters),
  z.number(),
  z.boolean(),
  z.null(),
]);

/**
 * What a skill of a plugin needs to be filled in later: `${CLAUDE_PLUGIN_ROOT}` is `root`, relative to the layer's source,
 * `${CLAUDE_PLUGIN_DATA}` a folder of the plugin's `name`, and `${user_config.X}` an option, here with its default.
 */
export const PluginFacts = z.strictObject({
  name: PlainLabel,
  root: z.string(),
  version: z.string().max(SKILL_LIMITS.versionCharacters).nullable(),
  options: z
    .record(PlainLabel, OptionValue)
    .refine(
      (options) => Object.keys(options).length <= SKILL_LIMITS.pluginOptions,
      `more than ${SKILL_LIMITS.pluginOptions} options`,
    ),
});
export type PluginFacts = z.infer<typeof PluginFacts>;

const TRUST: Readonly<Record<LayerKind, { readonly usual: Trust; readonly most: Trust }>> = {
  bundled: { usual: 'builtin', most: 'builtin' },
  org: { usual: 'trusted', most: 'trusted' },
  user: { usual: 'trusted', most: 'trusted' },
  project: { usual: 'trusted', most: 'trusted' },
  plugin: { usual: 'community', most: 'trusted' },
  mcp: { usual: 'community', most: 'community' },
  canonical: { usual: 'community', most: 'community' },
};

/** The trust of a layer's sources where nobody says another. */
export function usualTrust(layer: Layer): Trust {
  return TRUST[layerKind(layer)].usual;
}

/** The most that a layer's skills can have. */
export function mostTrust(layer: Layer): Trust {
  return TRUST[layerKind(layer)].most;
}

/** What a layer cannot say of its skills: nothing pushed there may pass for more than the layer can be. */
export function provenanceProblem(
  layer: Layer,
  entry: { readonly kind: SkillKind; readonly trust: Trust },
): string | null {
  const kind = layerKind(layer);
  const most = mostTrust(layer);
  if (!mayVouch(most, entry.trust)) {
    return `trust "${entry.trust}" is more than ${layer} can have; at most "${most}"`;
  }
  if (entry.kind === 'builtin-plugin-skill' && kind !== 'bundled')
    return `built-in plugins belong to bundled, not to ${layer}`;
  if (entry.kind === 'mcp-prompt' && kind !== 'mcp')
    return `prompts of MCP servers belong to mcp:SERVER, not to ${layer}`;
  return null;
}
