import { z } from 'zod';
import { MODEL_LIMITS } from '../core/limits.ts';
import { publicUrl } from '../core/public-url.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { EngineName, KeyReference } from './model-choice.ts';
import { ModelPrices } from './usage.ts';

const ProviderModel = z.strictObject({
  /** The size of its window, and the most that it may write at once, in tokens. */
  contextTokens: z.int().positive().optional(),
  outputTokens: z.int().positive().optional(),
  prices: ModelPrices.optional(),
});

/** A server of models, as an organisation sets it up. */
export const ProviderSettings = z.strictObject({
  kind: EngineName,
  /** What stands before `/messages` or `/chat/completions`; absent: the maker's own. */
  baseUrl: z.string().max(MODEL_LIMITS.urlCharacters).optional(),
  /** Where its key lies; absent: it needs none. */
  key: KeyReference.optional(),
  /** What it has, by the names that it knows. Others are reached as `provider/model`. */
  models: z
    .record(z.string().min(1).max(200), ProviderModel)
    .refine((models) => Object.keys(models).length <= MODEL_LIMITS.modelsOfProvider, 'too many models')
    .default({}),
  /** For models that have none of their own. */
  prices: ModelPrices.optional(),
});
export type ProviderSettings = z.infer<typeof ProviderSettings>;

export const ProvidersSettings = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), ProviderSettings)
  .refine((providers) => Object.keys(providers).length <= MODEL_LIMITS.providers, 'too many providers');
export type ProvidersSettings = z.infer<typeof ProvidersSettings>;

/** What speaks against providers, as far as one can tell without asking them. */
export function providersProblem(providers: ProvidersSettings, allowsLocal: boolean): Problem | null {
  for (const [name, { kind, baseUrl }] of Object.entries(providers)) {
    if (baseUrl === undefined) continue;
    const at = `models.providers.${name}.baseUrl`;
    const bare = kind === 'runbook' || kind === 'workers-ai';
    const url = bare ? fail(`${kind} has none`) : checkBaseUrl(baseUrl, allowsLocal);
    if (url.ok) continue;
    return {
      code: 'bad_request',
      detail: `${at}: ${url.error}`,
      at,
      hint: 'Write the https URL of a public server, with what stands before /messages or /chat/completions.',
    };
  }
  return null;
}

/**
 * A provider's address: public, or where the deployment is one on somebody's own machine, any. Errors: text that says
 * what is wrong.
 */
export function checkBaseUrl(text: string, allowsLocal: boolean): Result<URL, string> {
  if (!allowsLocal) return publicUrl(text);
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? ok(url) : fail('it is no URL of http or https');
}
