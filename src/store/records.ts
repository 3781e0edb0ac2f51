import type { z } from 'zod';
import type { Layer } from '../catalog/layers.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import { parseJson } from '../view/json-document.ts';
import type { Records } from '../view/ports.ts';
import { TokenRecord } from '../view/token.ts';
import { ViewRecord } from '../view/view-record.ts';
import { ownerName, tokenKey, viewKey } from './keys.ts';
import { readBulk } from './read-bulk.ts';

interface Remembered<Value> {
  readonly value: Value;
  readonly until: number;
}

const tokens = new BoundedCache<string, Remembered<TokenRecord>>(CACHE_LIMITS.records);
/** Layers that were never published are remembered too: most organisations have no layer `org` of their own. */
const views = new BoundedCache<string, Remembered<ViewRecord | null>>(CACHE_LIMITS.records);

/**
 * Tokens and view records over KV, each remembered for at most 30 seconds. An unknown token is not remembered, so that a
 * new one works at once.
 */
export function records(env: Pick<Env, 'KV' | 'ORG'>): Records {
  return {
    async read(token, layers, organisation) {
      const tokenName = token ? tokenKey(token.hash) : null;
      const viewNames = layers.map((layer) => viewKey(layer, organisation));
      const known = tokenName ? (recall(tokens, tokenName) ?? null) : null;
      const knownViews = viewNames.map((name) => recall(views, name));
      const missing = [
        ...(tokenName && !known ? [tokenName] : []),
        ...viewNames.filter((_, at) => knownViews[at] === undefined),
      ];
      if (missing.length === 0) return { token: known, views: knownViews.map((view) => view ?? null) };
      const texts = await readBulk(
        env.KV,
        missing.map((key) => ({ key, size: 0 })),
      );
      const parsed = <Schema extends z.ZodType>(schema: Schema, key: string): z.infer<Schema> | null => {
        const text = texts.get(key);
        return text === null || text === undefined ? null : parseJson(schema, text);
      };
      const found = known ?? (tokenName ? parsed(TokenRecord, tokenName) : null);
      if (found && !known && tokenName) remember(tokens, tokenName, found);
      return {
        token: found,
        views: viewNames.map((name, at) => {
          const before = knownViews[at];
          if (before !== undefined) return before;
          const record = parsed(ViewRecord, name);
          remember(views, name, record);
          return record;
        }),
      };
    },

    async readFresh(layers: readonly Layer[], organisation: string) {
      const fresh = await Promise.all(
        layers.map((layer) => env.ORG.getByName(ownerName(layer, organisation)).view(layer)),
      );
      for (const record of fresh) remember(views, viewKey(record.layer, organisation), record);
      return fresh;
    },

    note(record, organisation) {
      const key = viewKey(record.layer, organisation);
      const known = recall(views, key)?.head?.sequence ?? 0;
      if (known <= (record.head?.sequence ?? 0)) remember(views, key, record);
    },
  };
}

function recall<Value>(cache: BoundedCache<string, Remembered<Value>>, key: string): Value | undefined {
  const entry = cache.get(key);
  return entry && entry.until > Date.now() ? entry.value : undefined;
}

function remember<Value>(cache: BoundedCache<string, Remembered<Value>>, key: string, value: Value): void {
  cache.set(key, { value, until: Date.now() + CACHE_LIMITS.recordMilliseconds });
}
