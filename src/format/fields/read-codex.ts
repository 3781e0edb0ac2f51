import { z } from 'zod';
import { type FieldReader, isList, isMap, textOf } from './field-reader.ts';

/** Codex' `policy`: who may start the skill. */
export const CodexPolicy = z.strictObject({
  /** Whether the model may; null where the author did not say. */
  allowImplicitInvocation: z.boolean().nullable(),
  /** The only products that show the skill; empty for all. */
  products: z.array(z.string()),
});
export type CodexPolicy = z.infer<typeof CodexPolicy>;

/** Codex' `interface`: how the skill looks in a list for people. */
export const CodexInterface = z.strictObject({
  displayName: z.string().nullable(),
  shortDescription: z.string().nullable(),
  /** Paths inside the skill. */
  iconSmall: z.string().nullable(),
  iconLarge: z.string().nullable(),
  /** `#RRGGBB`. */
  brandColor: z.string().nullable(),
  defaultPrompt: z.string().nullable(),
});
export type CodexInterface = z.infer<typeof CodexInterface>;

export function readCodexPolicy(reader: FieldReader): CodexPolicy | null {
  const policy = reader.map('policy');
  if (!policy) return null;
  const { allow_implicit_invocation: implicit, products } = policy;
  if (implicit !== undefined && implicit !== null && typeof implicit !== 'boolean')
    reader.invalid('policy', 'true or false', ['allow_implicit_invocation']);
  if (products !== undefined && products !== null && !isList(products))
    reader.invalid('policy', 'a list', ['products']);
  return {
    allowImplicitInvocation: typeof implicit === 'boolean' ? implicit : null,
    products: isList(products) ? products.flatMap((product) => textOf(product) ?? []) : [],
  };
}

export function readCodexInterface(reader: FieldReader): CodexInterface | null {
  const members = reader.map('interface');
  if (!members) return null;
  const text = (name: string): string | null => {
    const value = members[name];
    if (isMap(value) || isList(value)) reader.invalid('interface', 'text', [name]);
    return textOf(value);
  };
  const icon = (name: string): string | null => {
    const path = text(name)?.replace(/^\.\//, '') ?? null;
    if (path === null || (path.startsWith('assets/') && !path.split('/').includes('..'))) return path;
    reader.invalid('interface', 'a path below assets/', [name]);
    return null;
  };
  const color = text('brand_color');
  const isColor = color !== null && /^#[\da-fA-F]{6}$/.test(color);
  if (color !== null && !isColor) reader.invalid('interface', 'a color like #1a2b3c', ['brand_color']);
  return {
    displayName: text('display_name'),
    shortDescription: text('short_description'),
    iconSmall: icon('icon_small'),
    iconLarge: icon('icon_large'),
    brandColor: isColor ? color : null,
    defaultPrompt: text('default_prompt'),
  };
}
