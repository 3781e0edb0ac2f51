import { z } from 'zod';

/**
 * Where a skill comes from. `bundled` ships with the deployment and is shared by all; the others belong to one
 * organisation. Written `kind` or `kind:id`.
 */
const LAYER_PATTERN = /^(?:bundled|org|(?:user|project|plugin|mcp):[A-Za-z0-9][A-Za-z0-9._@-]{0,63})$/;

export const Layer = z
  .string()
  .regex(LAYER_PATTERN, 'a layer is bundled, org, user:ID, project:ID, plugin:NAME or mcp:SERVER');
export type Layer = z.infer<typeof Layer>;

/**
 * Where skills of the deployment's canonical registry are. It is no `Layer`: nothing is published there and no request
 * names it, so that no tenant can pass for the registry.
 */
export const REMOTE_LAYER = 'canonical';

/** The layer of a skill that was used. */
export const UsedLayer = Layer.or(z.literal(REMOTE_LAYER));

export type LayerKind = 'bundled' | 'org' | 'user' | 'project' | 'plugin' | 'mcp' | typeof REMOTE_LAYER;

/** The default precedence: the first kind wins a clash of names. */
const DEFAULT_ORDER: readonly LayerKind[] = ['bundled', 'org', 'user', 'project', 'plugin', 'mcp'];

const KINDS: ReadonlySet<string> = new Set([...DEFAULT_ORDER, REMOTE_LAYER]);

export function layerKind(layer: Layer): LayerKind {
  const kind = layer.split(':', 1)[0] ?? '';
  if (!isKind(kind)) throw new RangeError(`not a layer: ${layer}`);
  return kind;
}

function isKind(text: string): text is LayerKind {
  return KINDS.has(text);
}

/** Layers in precedence order, each once; layers of one kind keep the order in which the request named them. */
export function byPrecedence(layers: readonly Layer[], order: readonly LayerKind[] = DEFAULT_ORDER): Layer[] {
  const unique = [...new Set(layers)];
  return order.flatMap((kind) => unique.filter((layer) => layerKind(layer) === kind));
}

/**
 * Where blobs live: those of the bundled layer are shared, all others are stored apart for each organisation, so that
 * deduplication never tells one tenant what another has.
 */
export type Space = 'bundled' | `o/${string}`;

export function spaceOf(layer: Layer, organisation: string): Space {
  return layerKind(layer) === 'bundled' ? 'bundled' : `o/${organisation}`;
}

export const ORGANISATION_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
