import { MODEL_LIMITS } from '../core/limits.ts';
import type { Fetch } from '../core/public-fetch.ts';
import { FaultError } from './fault.ts';

/**
 * `fetch` as the provider packages get it: it follows no redirect, with which a key would go to a stranger, reads no more
 * than an answer may have, and tells of every piece that comes.
 */
export function boundedFetch(fetch: Fetch, touch: () => void): typeof globalThis.fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const response = await reached(fetch(url, { ...init, redirect: 'manual' }));
    touch();
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new FaultError(
        'model_refused_request',
        'the provider answered with a redirect',
        false,
        response.status,
      );
    }
    if (response.body === null) return response;
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        touch();
        bytes += piece.length;
        if (bytes <= MODEL_LIMITS.answerBytes) return controller.enqueue(piece);
        const detail = `the answer has more than ${MODEL_LIMITS.answerBytes} bytes`;
        controller.error(new FaultError('model_output_invalid', detail, false));
      },
    });
    return new Response(response.body.pipeThrough(count), response);
  };
}

async function reached(answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch {
    // What the network around the deployment says is for nobody outside of it.
    throw new FaultError('model_unavailable', 'the provider could not be reached', true);
  }
}
