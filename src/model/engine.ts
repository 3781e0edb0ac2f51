import type { Fetch } from '../core/public-fetch.ts';
import type { Result } from '../core/result.ts';
import { languageModel, type ModelTimes, type Provider } from './language-model.ts';
import type { Model, ModelReply } from './model.ts';
import type { KeyReference, ModelChoice } from './model-choice.ts';
import { checkBaseUrl } from './provider-settings.ts';
import { anthropicProvider, openaiProvider, type WorkersAi, workersAiProvider } from './providers.ts';

/** What engines need of the deployment. */
export interface EnginePorts {
  readonly fetch: Fetch;
  /** The text of a key, for requests to this origin alone. Errors: why there is none, for the organisation's people. */
  key(reference: KeyReference, origin: string): Promise<Result<string, string>>;
  /** Null where the deployment has no such binding. */
  readonly workersAi: WorkersAi | null;
  /** Whether servers on the deployment's own machine or network may be asked. */
  readonly allowsLocal: boolean;
}

type ModelOf = Exclude<ModelChoice, { engine: 'runbook' }>;

/** `home`: where the maker's own server is. */
const HTTP_ENGINES = {
  anthropic: { make: anthropicProvider, home: 'https://api.anthropic.com/v1' },
  openai: { make: openaiProvider, home: 'https://api.openai.com/v1' },
} as const;

/** The engine for a model. Keys are looked up for every call, so that one that was replaced counts at once. */
export function engineOf(choice: ModelOf, ports: EnginePorts, times?: ModelTimes): Model {
  return {
    name: choice.engine,
    ...(choice.contextTokens !== null && { contextTokens: choice.contextTokens }),
    async next(request, watch) {
      const provider = await providerOf(choice, ports);
      return 'kind' in provider ? provider : languageModel(provider, times).next(request, watch);
    },
  };
}

async function providerOf(choice: ModelOf, ports: EnginePorts): Promise<Provider | ModelReply> {
  if (choice.engine === 'workers-ai') {
    return ports.workersAi === null
      ? failed('model_refused_request', 'this deployment has no binding of Workers AI')
      : workersAiProvider(choice, ports.workersAi);
  }
  const { make, home } = HTTP_ENGINES[choice.engine];
  const url = checkBaseUrl(choice.baseUrl ?? home, ports.allowsLocal);
  if (!url.ok) return failed('model_refused_request', `the provider’s URL is refused: ${url.error}`);
  if (choice.key === null) return make(choice, url.value, null, ports.fetch);
  const key = await ports.key(choice.key, url.value.origin);
  return key.ok ? make(choice, url.value, key.value, ports.fetch) : failed('model_refused_key', key.error);
}

function failed(stopReason: 'model_refused_key' | 'model_refused_request', text: string): ModelReply {
  return { kind: 'failed', stopReason, text };
}
