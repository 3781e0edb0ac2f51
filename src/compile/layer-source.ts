import type { ListingState } from '../catalog/listing-state.ts';
import type { Provider, Trust } from '../catalog/provenance.ts';
import type { Layout } from './definition.ts';
import type { SkillFolder } from './skill-folder.ts';
import type { SourceTree } from './source-tree.ts';

/** A skill by the names that a person could mean it by. */
export interface Candidate {
  readonly name: string;
  /** Its folder or loose file, relative to the root of its source. */
  readonly path: string;
}

/** What a person said of a skill: how it is listed, perhaps only with a flag, or why it is not in the catalog at all. */
export type Choice =
  | { readonly listing: ListingState; readonly flag?: string | undefined }
  | { readonly off: string };

/** One of the trees that a layer is made of. Those named first keep the bare names. */
export interface LayerSource {
  readonly tree: SourceTree;
  readonly layout: Layout;
  readonly trust: Trust;
  /** Where in the tree the layout looks; `''` is the tree itself. Several sources of a layer have a root each. */
  readonly root?: string;
  /** Another convention than the layout's own. */
  readonly provider?: Provider;
  readonly choose?: (candidate: Candidate) => Choice;
  /** The real path of a skill's file, where links may lead to one file twice. */
  readonly realPath?: (skill: SkillFolder) => string | null;
}
