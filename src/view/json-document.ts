import type { z } from 'zod';
import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_LIMITS, CATALOG_LIMITS } from '../core/limits.ts';

/** A kind of stored JSON: how to read it, and what this isolate remembers of it, by storage key. */
export interface DocumentKind<Document extends object> {
  /** Null for anything but the schema's shape. */
  parse(text: string): Document | null;
  /** Larger ones are not read: tenants wrote them, and some are read by the hundred. */
  readonly mostBytes: number;
  /** Documents never change under their key, which names their digest. Sizes are bytes of text. */
  readonly remembered: BoundedCache<string, Document>;
}

export function documentKind<Schema extends z.ZodType<object>>(
  schema: Schema,
  mostBytes: number = CATALOG_LIMITS.documentBytes,
): DocumentKind<z.infer<Schema>> {
  return {
    mostBytes,
    parse: (text) => parseJson(schema, text),
    remembered: new BoundedCache(CACHE_LIMITS.documentBytes),
  };
}

/** Parses stored JSON by its schema, null for anything else. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
