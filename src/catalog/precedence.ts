import { z } from 'zod';
import type { LayerKind } from './layers.ts';
import { Provider, SkillKind } from './provenance.ts';

/** Whose rules say which of two namesakes keeps the bare name. */
export const PrecedenceName = z.enum(['skilledge', 'claude-code', 'agentskills', 'oh-my-pi']);
export type PrecedenceName = z.infer<typeof PrecedenceName>;

export interface Precedence {
  /** Layers of a view: the first kind wins. */
  readonly layers: readonly LayerKind[];
  /** Kinds inside one layer: the first wins. */
  readonly kinds: readonly SkillKind[];
  /** Conventions inside one layer: the first group wins; those of one group are equal. */
  readonly providers: readonly (readonly Provider[])[];
  /** Whether conventions are looked at before kinds and the order of the sources. */
  readonly providersFirst: boolean;
  /** Conventions whose skills need a description of their author's to be loaded at all. */
  readonly described: readonly Provider[];
}

/** Claude Code's own order of kinds: skills beat commands, and its `.claude` folder beats everyone else's. */
const KINDS = SkillKind.options;
const PROVIDERS: Precedence['providers'] = [
  ['native', 'custom'],
  ['claude'],
  ['agents'],
  ['codex'],
  ['github'],
  ['claude-plugins'],
];

export const PRECEDENCES: Readonly<Record<PrecedenceName, Precedence>> = {
  /** What ships with the deployment, then what the organisation says, then the narrower layers. */
  skilledge: {
    layers: ['bundled', 'org', 'user', 'project', 'plugin', 'mcp'],
    kinds: KINDS,
    providers: PROVIDERS,
    providersFirst: false,
    described: [],
  },
  /** Claude Code today: managed, personal, project, and any of these before a bundled skill. Until 2.1 that came first. */
  'claude-code': {
    layers: ['org', 'user', 'project', 'bundled', 'plugin', 'mcp'],
    kinds: KINDS,
    providers: PROVIDERS,
    providersFirst: false,
    described: [],
  },
  /** The client guide of agentskills.io: a project overrides its user, and a skill without a description is skipped. */
  agentskills: {
    layers: ['project', 'user', 'org', 'bundled', 'plugin', 'mcp'],
    kinds: KINDS,
    providers: PROVIDERS,
    providersFirst: false,
    described: Provider.options,
  },
  /** oh-my-pi: native 100, claude 80, then plugins, agents and codex at 70 in that order, named folders after all. */
  'oh-my-pi': {
    layers: ['project', 'user', 'org', 'bundled', 'plugin', 'mcp'],
    kinds: KINDS,
    providers: [['native'], ['claude'], ['claude-plugins'], ['agents'], ['codex'], ['github'], ['custom']],
    providersFirst: true,
    described: ['native', 'custom'],
  },
};

/** What decides between two skills of one layer that want the same name; compared number by number, smaller wins. */
export function rankOf(
  precedence: Precedence,
  skill: {
    readonly kind: SkillKind;
    readonly provider: Provider;
    /** The folder below which it is active, or null. */
    readonly scope: string | null;
    /** Position of its source among those of the layer: the most specific comes first. */
    readonly source: number;
    /** Nothing from anybody takes a name from what the organisation chose. */
    readonly untrusted: boolean;
  },
): number[] {
  const provider = precedence.providers.findIndex((group) => group.includes(skill.provider));
  const kind = precedence.kinds.indexOf(skill.kind);
  // Skills that are always active keep the bare name; of the others the deepest folder's.
  const scope = skill.scope === null ? Number.MIN_SAFE_INTEGER : -skill.scope.split('/').length;
  const untrusted = skill.untrusted ? 1 : 0;
  return precedence.providersFirst
    ? [untrusted, provider, kind, skill.source, scope]
    : [untrusted, kind, skill.source, scope, provider];
}
