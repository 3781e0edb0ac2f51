import { z } from 'zod';
import type { Layer } from '../../../src/catalog/layers.ts';
import type { Provider, Trust } from '../../../src/catalog/provenance.ts';

/** How a folder is read. Each is a function in src/compile/layouts/. */
export const LayoutName = z.enum([
  'tree',
  'roots',
  'project',
  'commands',
  'workflows',
  'plugin',
  'marketplace',
  'mcp-prompts',
]);
export type LayoutName = z.infer<typeof LayoutName>;

/** One folder that feeds a layer. Several may feed one layer; the first of them keeps a name. */
export interface SourcePlan {
  readonly layer: Layer;
  readonly directory: string;
  /** Default `tree`. */
  readonly layout?: LayoutName;
  /** Default: what is usual for the layer. */
  readonly trust?: Trust;
  readonly provider?: Provider;
  /** Globs of paths below the folder, and of skills' names; what is ignored is not looked for among the included. */
  readonly ignore?: readonly string[];
  readonly include?: readonly string[];
  /** What origins and remarks call it; without one it is `directory`, where several sources feed the layer. */
  readonly label?: string;
  /** Links may lead to anywhere below this folder. */
  readonly within?: string;
}

/** What a person wants of a skill. `flag`: it is not there until that flag is given. */
export const SkillChoice = z.strictObject({
  state: z.enum(['auto', 'name-only', 'manual', 'off']).default('auto'),
  flag: z.string().min(1).max(64).optional(),
});
export type SkillChoice = z.infer<typeof SkillChoice>;
