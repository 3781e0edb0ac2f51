import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { createWorkersAI } from 'workers-ai-provider';
import type { Fetch } from '../core/public-fetch.ts';
import { effortLevel, threeLevels } from './effort.ts';
import type { Provider } from './language-model.ts';
import type { ModelRequest } from './model.ts';
import type { ModelChoice } from './model-choice.ts';
import { promptOf, toolsOf } from './prompt.ts';
import { boundedFetch } from './wire.ts';

type ModelOf = Exclude<ModelChoice, { engine: 'runbook' }>;
type Setup = Parameters<typeof createWorkersAI>[0];
export type WorkersAi = Extract<Setup, { binding: unknown }>['binding'];

/** The binding of Workers AI, which a deployment may have; null where it has none. */
export function workersAiOf(bindings: object): WorkersAi | null {
  const binding: unknown = Reflect.get(bindings, 'AI');
  return isWorkersAi(binding) ? binding : null;
}

function isWorkersAi(binding: unknown): binding is WorkersAi {
  return (
    typeof binding === 'object' && binding !== null && 'run' in binding && typeof binding.run === 'function'
  );
}

/** Claude's long window, as it is written behind a model's name, and the header that opens it. */
const LONG_WINDOW = /\[1m\]$/i;
const LONG_WINDOW_HEADER = { 'anthropic-beta': 'context-1m-2025-08-07' };
const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Anthropic's Messages. */
export function anthropicProvider(choice: ModelOf, url: URL, key: string | null, fetch: Fetch): Provider {
  const model = choice.model.replace(LONG_WINDOW, '');
  return {
    ...identityOf(choice, key),
    async load(touch) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL: url.href, apiKey: key ?? '', fetch: boundedFetch(fetch, touch) })(
        model,
      );
    },
    options: (request) => ({
      ...commonOptions(choice, request, effortLevel(request.effort), CACHE_MARK),
      ...(LONG_WINDOW.test(choice.model) && { headers: LONG_WINDOW_HEADER }),
    }),
  };
}

/** Chat completions, as OpenAI made them: also of Ollama, vLLM, llama.cpp and many others. */
export function openaiProvider(choice: ModelOf, url: URL, key: string | null, fetch: Fetch): Provider {
  return {
    ...identityOf(choice, key),
    async load(touch) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const provider = createOpenAICompatible({
        name: 'openai',
        baseURL: url.href,
        includeUsage: true,
        fetch: boundedFetch(fetch, touch),
        ...(key !== null && { apiKey: key }),
      });
      return provider.chatModel(choice.model);
    },
    options: (request) => commonOptions(choice, request, threeLevels(effortLevel(request.effort)), null),
  };
}

/** Workers AI, through the deployment's binding. */
export function workersAiProvider(choice: ModelOf, binding: WorkersAi): Provider {
  return {
    ...identityOf(choice, null),
    async load() {
      const provider = await import('workers-ai-provider');
      return provider.createWorkersAI({ binding })(choice.model);
    },
    options: (request) => commonOptions(choice, request, threeLevels(effortLevel(request.effort)), null),
  };
}

function identityOf({ engine, model, prices, contextTokens }: ModelOf, key: string | null) {
  return { engine, model, prices, contextTokens, key };
}

function commonOptions(
  choice: ModelOf,
  request: ModelRequest,
  reasoning: LanguageModelV4CallOptions['reasoning'],
  mark: Parameters<typeof promptOf>[2],
): LanguageModelV4CallOptions {
  const limits = [choice.outputTokens, request.outputTokens].filter((limit) => typeof limit === 'number');
  return {
    prompt: promptOf(request, choice.engine, mark),
    ...(request.tools.length > 0 && { tools: toolsOf(request.tools) }),
    ...(request.mayCall === false && request.tools.length > 0 && { toolChoice: { type: 'none' } }),
    ...(limits.length > 0 && { maxOutputTokens: Math.min(...limits) }),
    ...(reasoning !== undefined && { reasoning }),
  };
}
