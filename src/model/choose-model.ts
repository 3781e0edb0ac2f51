import { fail, ok, type Result } from '../core/result.ts';
import { resolveModel } from './model-alias.ts';
import type { ModelChoice } from './model-choice.ts';
import type { ProviderSettings, ProvidersSettings } from './provider-settings.ts';

/** What an organisation says about models. */
export interface ModelSettings {
  readonly aliases: Readonly<Record<string, string>>;
  readonly default: string | null;
  readonly providers: ProvidersSettings;
}

const LONG_WINDOW = /\[1m\]$/i;

/**
 * The model of a run. `asked`: what its caller insists on. `preferred`: what the skill and its agent would have, first the
 * strongest; they were written for other places too, so that what is not known here gives way to what is `inherited` from
 * the run around it, and that to the organisation's default. Without one, the engine is `runbook`. `model_unknown` where
 * nobody knows what was asked for.
 */
export function chooseModel(
  settings: ModelSettings,
  asked: string | null,
  preferred: readonly (string | null)[],
  inherited: ModelChoice | null,
): Result<ModelChoice> {
  if (asked !== null && asked !== 'inherit') return known(settings, asked);
  for (const name of asked === null ? preferred : []) {
    const choice = name === null ? null : find(settings, name);
    if (choice !== null) return ok(choice);
  }
  if (inherited !== null) return ok(inherited);
  return settings.default === null ? ok({ engine: 'runbook' }) : known(settings, settings.default);
}

function known(settings: ModelSettings, name: string): Result<ModelChoice> {
  const choice = find(settings, name);
  if (choice !== null) return ok(choice);
  return fail({
    code: 'model_unknown',
    detail: `no provider of this organisation has a model ${JSON.stringify(name.slice(0, 100))}`,
    hint: 'Name one of models.providers in the settings, as provider/model, or give it an alias.',
  });
}

function find({ aliases, providers }: ModelSettings, name: string): ModelChoice | null {
  const model = resolveModel(name, aliases);
  const listed = Object.entries(providers).find(([, { models }]) => {
    return Object.hasOwn(models, model.replace(LONG_WINDOW, ''));
  });
  if (listed) return choiceOf(listed[0], listed[1], model);
  const slash = model.indexOf('/');
  const prefix = slash === -1 ? model : model.slice(0, slash);
  const provider = Object.hasOwn(providers, prefix) ? providers[prefix] : undefined;
  if (provider === undefined) return model === 'runbook' ? { engine: 'runbook' } : null;
  if (provider.kind === 'runbook') return { engine: 'runbook' };
  return slash === -1 || slash === model.length - 1
    ? null
    : choiceOf(prefix, provider, model.slice(slash + 1));
}

function choiceOf(name: string, provider: ProviderSettings, model: string): ModelChoice {
  const { kind, baseUrl = null, key = null, models } = provider;
  if (kind === 'runbook') return { engine: kind };
  const plain = model.replace(LONG_WINDOW, '');
  const own = Object.hasOwn(models, plain) ? models[plain] : undefined;
  return {
    engine: kind,
    provider: name,
    model,
    baseUrl,
    key,
    contextTokens: own?.contextTokens ?? null,
    outputTokens: own?.outputTokens ?? null,
    prices: own?.prices ?? provider.prices ?? null,
  };
}
