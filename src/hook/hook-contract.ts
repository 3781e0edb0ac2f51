import { z } from 'zod';
import { isUntrusted, type Trust } from '../catalog/provenance.ts';
import { Layer, layerKind } from '../catalog/layers.ts';
import type { Json } from '../core/canonical-json.ts';
import { HOOK_TYPES, HookAction } from '../format/fields/hook-schema.ts';
import type { Surroundings } from '../view/surroundings.ts';

/** A hook as a session knows it. */
export interface RegisteredHook {
  readonly hook: string;
  readonly skill: string;
  readonly layer: Layer;
  readonly matcher: string | null;
  readonly action: HookAction;
  /** Where the host has the plugin's, and the skill's, files. */
  readonly pluginRoot: string | null;
  readonly skillDirectory: string | null;
}

/** Something happened in an agent that hooks may be about. */
export interface HookCall {
  readonly agent: string;
  readonly surroundings: Surroundings;
  readonly event: string;
  /** Null for events that are not about a tool. */
  readonly toolName: string | null;
  readonly toolInput: Json;
  /** What matchers are compared with where there is no tool: a source, a reason, a kind. */
  readonly value: string | null;
  /** Further members of what hooks are told. */
  readonly input: Readonly<Record<string, Json>>;
  /** How hooks ended that the host ran: a `once` hook that succeeded fires no more. */
  readonly results: readonly { readonly hook: string; readonly ok: boolean }[];
  /** Not null: what a hook did cannot be taken back, so a repeat has to be known. */
  readonly idempotencyKey: string;
}

const JsonValue: z.ZodType<Json> = z.json();

/** How a hook ended that was run here. Only a `block` stops anything. */
export const HookResult = z.strictObject({
  /** `interrupted`: it was begun, and nobody knows how far it came; it is not begun again. */
  outcome: z.enum(['success', 'block', 'error', 'interrupted']),
  /** Why it blocks, or what went wrong. */
  reason: z.string().nullable(),
  /** An exit code, or an HTTP status. */
  status: z.int().nullable(),
  /** What a command printed that was no JSON object, or a server answered. */
  text: z.string(),
  output: z.record(z.string(), JsonValue).nullable(),
});
export type HookResult = z.infer<typeof HookResult>;

/** Of a hook that was begun, as long as nothing else is known. */
export const INTERRUPTED: HookResult = {
  outcome: 'interrupted',
  reason: 'it was begun and did not end; it is not begun again',
  status: null,
  text: '',
  output: null,
};

const fired = {
  hook: z.string(),
  skill: z.string(),
  layer: Layer,
  type: z.enum(HOOK_TYPES),
  once: z.boolean(),
};

/** A hook that an event fired, and who runs it. */
export const FiredHook = z.discriminatedUnion('run', [
  z.strictObject({ ...fired, run: z.literal('here'), result: HookResult }),
  z.strictObject({
    ...fired,
    run: z.literal('host'),
    /** Why not here, where it could have been. */
    reason: z.string().nullable(),
    action: HookAction,
    environment: z.record(z.string(), z.string()),
  }),
  /** Nobody runs it: the organisation does not want it. */
  z.strictObject({ ...fired, run: z.literal('off'), reason: z.string() }),
]);
export type FiredHook = z.infer<typeof FiredHook>;

export const HookAnswer = z.strictObject({
  event: z.string(),
  agent: z.string(),
  /** In the order in which they were registered. */
  fired: z.array(FiredHook),
  /** Hooks that did not fire because what they say cannot be read. */
  problems: z.array(
    z.strictObject({ hook: z.string(), skill: z.string(), at: z.string(), detail: z.string() }),
  ),
  /** Of what was run here; what the host runs, it judges itself. */
  decision: z.enum(['block', 'none']),
  reason: z.string().nullable(),
});
export type HookAnswer = z.infer<typeof HookAnswer>;

/** A person spoke, or the agent has answered. */
export function endsTurn({ event }: Pick<HookCall, 'event'>): boolean {
  return event === 'UserPromptSubmit' || event === 'Stop';
}

/** Skills that somebody outside the organisation, or an agent, wrote get no hooks, whoever allowed their use: hooks outlive it. */
export function mayHaveHooks(layer: Layer, trust: Trust): boolean {
  return !isUntrusted(trust) && layerKind(layer) !== 'mcp';
}
