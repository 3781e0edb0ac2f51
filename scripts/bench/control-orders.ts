import { z } from 'zod';
import { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { Layer } from '../../src/catalog/layers.ts';
import { DigestSchema } from '../../src/catalog/revision.ts';
import { Head } from '../../src/view/view-record.ts';

const where = { organisation: z.string(), layer: Layer };

/** What the benchmark says to the product's objects past its routes, as JSON, one order a request. */
export const Order = z.discriminatedUnion('order', [
  z.object({
    ...where,
    order: z.literal('record-blobs'),
    blobs: z.array(z.object({ digest: DigestSchema, size: z.int() })),
  }),
  z.object({ ...where, order: z.literal('move-head'), head: Head.omit({ sequence: true }) }),
  z.object({ ...where, order: z.literal('standing') }),
  z.object({ ...where, order: z.literal('search-id') }),
  z.object({
    ...where,
    order: z.literal('search'),
    texts: z.array(z.string()),
    bare: z.boolean(),
  }),
  z.object({
    ...where,
    order: z.literal('index'),
    skills: z.array(
      z.object({
        entry: CatalogEntry,
        texts: z.object({ tags: z.array(z.string()), headings: z.string() }),
        shard: z.int(),
      }),
    ),
  }),
]);
export type Order = z.infer<typeof Order>;

export const Answer = z.object({
  /** Where a search index stands, and of how many skills. */
  catalog: DigestSchema.nullable(),
  skills: z.int(),
  /** How many skills each text found. */
  found: z.array(z.int()),
  /** The id of a search object, after which its file is named. */
  id: z.string(),
});
export type Answer = z.infer<typeof Answer>;

/** Gives an order to the control worker at this address. */
export async function command(control: URL, order: Order): Promise<Answer> {
  const response = await fetch(control, { method: 'POST', body: JSON.stringify(order) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${order.order}: ${response.status} ${text.slice(0, 300)}`);
  return Answer.parse(JSON.parse(text));
}
