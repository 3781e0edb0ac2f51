import { z } from 'zod';
import { MODEL_LIMITS } from '../core/limits.ts';
import { plainText } from '../core/plain-text.ts';
import type { ModelFailure } from './model.ts';

/** What was wrong with one try. */
export interface Fault {
  readonly failure: ModelFailure;
  readonly status: number | null;
  readonly detail: string;
  /** Whether another try may do better. */
  readonly again: boolean;
  /** What the provider asked for; null where it said nothing. */
  readonly retryAfterMilliseconds: number | null;
}

/** A fault that this side found, thrown through the provider's package. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(failure: ModelFailure, detail: string, again: boolean, status: number | null = null) {
    super(detail);
    this.fault = { failure, status, detail, again, retryAfterMilliseconds: null };
  }
}

/** What the provider packages throw, and what they pass on of an error inside a stream. */
const ProviderError = z.object({
  message: z.string().catch(''),
  type: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).nullish().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
});

/** Errors of these kinds also come inside an answer that began well, without a status. */
const OVERLOADED = /overloaded|rate_limit|server_error|api_error|timeout|unavailable/i;
const TOO_LONG =
  /prompt is too long|context[ _](?:length|window|size)|maximum context|input is too long|too many (?:input )?tokens/i;
const AGAIN: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const KEY: ReadonlySet<number> = new Set([401, 402, 403]);

/** Sorts an error. `now`: Unix milliseconds, for pauses until a date. */
export function faultOf(error: unknown, now: number): Fault {
  if (error instanceof FaultError) return error.fault;
  const parsed = ProviderError.safeParse(error);
  if (!parsed.success) return fault('model_output_invalid', null, String(error), true);
  const { message, type, code, statusCode, responseHeaders, responseBody } = parsed.data;
  const said = message === '' ? 'an error without a message' : message;
  const status = statusCode ?? null;
  const words = `${type ?? ''} ${code ?? ''}`;
  if (status === null || status < 400) {
    return OVERLOADED.test(words)
      ? fault('model_unavailable', status, said, true)
      : fault('model_output_invalid', status, said, true);
  }
  if (KEY.has(status)) {
    // What is said about a key often has a part of it.
    return fault('model_refused_key', status, `the provider answered ${status}`, false);
  }
  if (AGAIN.has(status) || status >= 500) {
    const wait = retryAfter(responseHeaders ?? {}, now);
    return { ...fault('model_unavailable', status, said, true), retryAfterMilliseconds: wait };
  }
  const long = status === 413 || TOO_LONG.test(`${words} ${message} ${responseBody?.slice(0, 2_000) ?? ''}`);
  return fault(long ? 'context_exceeded' : 'model_refused_request', status, said, false);
}

/** The pause that headers ask for in milliseconds (RFC 9110 `Retry-After`, and `Retry-After-Ms` of two providers), or null. */
function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` takes more than dates of HTTP for one, such as "-3".
  const date = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function fault(failure: ModelFailure, status: number | null, detail: string, again: boolean): Fault {
  const line = plainText(detail.slice(0, MODEL_LIMITS.detailCharacters));
  return { failure, status, detail: line, again, retryAfterMilliseconds: null };
}
