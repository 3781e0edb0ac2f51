import { Layer } from '../catalog/layers.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { SkillCount, UsageCounts } from './ports.ts';
import { isSwitchedOff, type View } from './view.ts';

export interface UsagePage {
  readonly skills: readonly {
    readonly layer: Layer;
    readonly name: string;
    readonly count: number;
    readonly lastUsedAt: string;
  }[];
  /** Give it back as `cursor=` for the next page; null at the end. */
  readonly next: string | null;
}

/** One page of what was used in a view's layers, most used first. */
export async function pageUsage(usage: UsageCounts, view: View, cursor: string): Promise<Result<UsagePage>> {
  const after = cursor === '' ? null : readCursor(cursor);
  if (cursor !== '' && after === null) return fail(wrongCursor());
  const layers = new Map(view.layers.map((viewLayer) => [viewLayer.layer, viewLayer]));
  const limit = CATALOG_LIMITS.pageEntries;
  const counts = await usage.most(view.organisation, [...layers.keys()], after, limit + 1);
  const page = counts.slice(0, limit);
  const last = page.at(-1);
  const visible = page.filter(({ layer, name }) => {
    const viewLayer = layers.get(layer);
    return viewLayer !== undefined && !isSwitchedOff(view, viewLayer, name);
  });
  return ok({
    skills: visible.map(({ layer, name, count, usedAt }) => {
      return { layer, name, count, lastUsedAt: new Date(usedAt).toISOString() };
    }),
    next: counts.length > limit && last ? `${last.count}/${last.layer}/${last.name}` : null,
  });
}

function readCursor(text: string): Omit<SkillCount, 'usedAt'> | null {
  const [, count, layer, name] = /^(\d{1,15})\/([^/]{1,100})\/(.+)$/su.exec(text) ?? [];
  const known = Layer.safeParse(layer);
  return count === undefined || name === undefined || !known.success
    ? null
    : { count: Number(count), layer: known.data, name };
}

function wrongCursor(): Problem {
  return {
    code: 'bad_request',
    at: 'cursor',
    detail: 'cursor is not one that a page gave',
    hint: 'Begin without a cursor.',
  };
}
