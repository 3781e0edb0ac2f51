import { z } from 'zod';
import { ModelPrices } from './usage.ts';

export const EngineName = z.enum(['runbook', 'anthropic', 'openai', 'workers-ai']);
export type EngineName = z.infer<typeof EngineName>;

/** Where a key lies: a secret of the deployment, or of the organisation, by name. */
export const KeyReference = z
  .string()
  .regex(/^(?:deployment|organisation):[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'deployment:NAME or organisation:NAME');
export type KeyReference = z.infer<typeof KeyReference>;

/** Which model a run uses, settled at its start. It holds names and addresses, and never a key. */
export const ModelChoice = z.discriminatedUnion('engine', [
  z.strictObject({ engine: z.literal('runbook') }),
  z.strictObject({
    engine: z.enum(['anthropic', 'openai', 'workers-ai']),
    /** The organisation's name for the provider. */
    provider: z.string(),
    /** As the provider knows it. */
    model: z.string(),
    baseUrl: z.string().nullable(),
    key: KeyReference.nullable(),
    contextTokens: z.int().positive().nullable(),
    outputTokens: z.int().positive().nullable(),
    prices: ModelPrices.nullable(),
  }),
]);
export type ModelChoice = z.infer<typeof ModelChoice>;
