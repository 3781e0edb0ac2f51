import type { z } from 'zod';
import { nestsDeeper } from '../../core/json-depth.ts';
import { JSON_LIMITS } from '../../core/limits.ts';
import { readStream } from '../../core/read-stream.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { AppContext } from '../context.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The bytes of a body, never more than `limit` of them in memory, whatever the client says or does not say. */
export async function readBytes(context: AppContext, limit: number): Promise<Result<Uint8Array>> {
  const tooLarge = fail({
    code: 'body_too_large' as const,
    detail: `the body has more than ${limit} bytes`,
    hint: 'Send less at once.',
  });
  const announced = context.req.header('Content-Length');
  if (Number(announced ?? 0) > limit) return tooLarge;
  // A body is never longer than it was announced: the runtime reads no further.
  if (announced !== undefined) return ok(new Uint8Array(await context.req.raw.arrayBuffer()));
  const bytes = await readStream(context.req.raw.body, limit);
  return bytes === null ? tooLarge : ok(bytes);
}

/** A JSON body by its schema: bounded, then parsed, then checked, each with its own answer. */
export async function readJson<Schema extends z.ZodType>(
  context: AppContext,
  schema: Schema,
  limit: number,
): Promise<Result<z.infer<Schema>>> {
  const text = await readText(context, limit);
  return text.ok ? parseBody(text.value, schema) : text;
}

export async function readText(context: AppContext, limit: number): Promise<Result<string>> {
  const bytes = await readBytes(context, limit);
  if (!bytes.ok) return bytes;
  try {
    return ok(UTF8.decode(bytes.value));
  } catch {
    return notJson();
  }
}

function notJson() {
  return fail({
    code: 'body_not_json' as const,
    detail: 'the body cannot be read as JSON',
    hint: 'Send a JSON object in UTF-8.',
  });
}

function tooDeep() {
  return fail({
    code: 'bad_request' as const,
    detail: `the body is nested deeper than ${JSON_LIMITS.depth} levels`,
    hint: 'Send flatter JSON.',
  });
}

export function parseBody<Schema extends z.ZodType>(text: string, schema: Schema): Result<z.infer<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return notJson();
  }
  if (nestsDeeper(value, JSON_LIMITS.depth)) return tooDeep();
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const at = issue?.path.map(String).join('.') ?? '';
  return fail({
    code: 'bad_request',
    detail: issue
      ? `${at === '' ? 'the body' : at}: ${issue.message}`
      : 'the body is not what this call takes',
    ...(at === '' ? {} : { at }),
    hint: 'See the table of calls in the README.',
  });
}
