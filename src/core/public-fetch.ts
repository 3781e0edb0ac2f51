import { HTTP_LIMITS } from './limits.ts';
import { publicUrl } from './public-url.ts';
import { readStream } from './read-stream.ts';
import { fail, ok, type Result } from './result.ts';

/** The part of `fetch` that is used, so that tests need no network. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface PublicRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Sent to the origin of `url` alone, since they may be secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly type: string; readonly text: string } | null;
  /** For everything together, redirects and the body included. */
  readonly milliseconds: number;
  readonly answerBytes: number;
  /** A further word on every URL that is asked: what speaks against it, or null. */
  readonly objection: (url: URL) => string | null;
}

export interface PublicAnswer {
  readonly status: number;
  /** The URL that answered in the end. */
  readonly url: string;
  /** As the server says it. */
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
  /** The same in UTF-8; what is none is replaced. */
  readonly text: string;
}

const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, ...KEEPS_METHOD]);
/** What only the transport may say, and what could pass for a word of the platform. */
const NOT_OURS =
  /^(?:host|connection|content-length|content-type|cookie|expect|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|cf|x-forwarded)-.*)$/i;

/** Whether a header may be set by somebody else than the transport. */
export function mayBeSet(header: string): boolean {
  return !NOT_OURS.test(header);
}

/**
 * Fetches what a stranger named, with `publicUrl` before every request. Redirects are followed by hand: a POST only where
 * it stays a POST, and to another origin without the headers. Errors: text that says what was wrong, and nothing of what
 * the network around the deployment said.
 */
export async function fetchPublic(
  fetch: Fetch,
  request: PublicRequest,
): Promise<Result<PublicAnswer, string>> {
  const forbidden = Object.keys(request.headers).find((name) => !mayBeSet(name));
  if (forbidden !== undefined) return fail(`the header ${forbidden} may not be set`);
  // Not `AbortSignal.timeout`: its timer stays when the answer is here, and an object with a timer is kept in memory.
  const abort = new AbortController();
  const { signal } = abort;
  const timer = setTimeout(() => abort.abort(), request.milliseconds);
  try {
    return await follow(fetch, request, signal);
  } catch {
    return fail(
      signal.aborted ? `no answer within ${request.milliseconds} ms` : 'the server could not be reached',
    );
  } finally {
    clearTimeout(timer);
  }
}

async function follow(
  fetch: Fetch,
  request: PublicRequest,
  signal: AbortSignal,
): Promise<Result<PublicAnswer, string>> {
  let target = request.url;
  for (let redirects = 0; ; redirects += 1) {
    const url = publicUrl(target);
    const named = redirects === 0 ? 'the URL' : 'a redirect';
    if (!url.ok) return fail(`${named} is refused: ${url.error}`);
    const objection = request.objection(url.value);
    if (objection !== null) return fail(`${named} is refused: ${objection}`);
    const response = await fetch(url.value.href, initOf(request, url.value, signal));
    const location = response.headers.get('Location');
    if (!REDIRECTS.has(response.status) || location === null) {
      const bytes = await readStream(response.body, request.answerBytes);
      if (bytes === null) return fail(`the answer has more than ${request.answerBytes} bytes`);
      const text = new TextDecoder().decode(bytes);
      const contentType = response.headers.get('Content-Type');
      return ok({ status: response.status, url: url.value.href, contentType, bytes, text });
    }
    await response.body?.cancel();
    if (redirects === HTTP_LIMITS.redirects) return fail(`there are more than ${redirects} redirects`);
    if (request.method !== 'GET' && !KEEPS_METHOD.has(response.status))
      return fail(`a redirect with ${response.status} would lose what was sent`);
    target = URL.parse(location, url.value.href)?.href ?? location;
  }
}

function initOf(
  { url, method, headers, body }: PublicRequest,
  target: URL,
  signal: AbortSignal,
): RequestInit {
  const own = target.origin === new URL(url).origin ? headers : {};
  return {
    method,
    headers: body === null ? own : { ...own, 'Content-Type': body.type },
    redirect: 'manual',
    signal,
    ...(body === null ? {} : { body: body.text }),
  };
}
