import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Layer } from '../../../src/catalog/layers.ts';
import { CONVENTIONS } from '../../../src/compile/layouts/project.ts';
import { repositoryOf } from './git-ignored.ts';
import type { SourcePlan } from './source-plan.ts';

export interface DiscoverPlace {
  /** The working directory. */
  readonly directory: string;
  readonly home: string;
  readonly user: string;
  /** Where Codex keeps the user's skills, `~/.codex` where nobody says so. */
  readonly codexHome?: string | undefined;
  /** Folders of the machine's owner, each with `.claude` or `skills` in it. */
  readonly managed: readonly string[];
}

/** Where the owner of a machine puts settings for everybody on it: Claude Code's and Codex's places. */
export function managedFolders(platform: NodeJS.Platform): string[] {
  if (platform === 'win32') return ['C:\\Program Files\\ClaudeCode'];
  const claude = platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
  return [claude, '/etc/codex'];
}

/**
 * Every place that an agent in a working directory would look at: the machine owner's (layer `org`), the user's, and the
 * project's from the working directory upward to the repository's root or to the home folder, the most specific first.
 */
export function discover(place: DiscoverPlace): SourcePlan[] {
  const { home, managed, codexHome = join(home, '.codex') } = place;
  const org = managed.flatMap((folder) => [
    ...placesIn(folder, { layer: 'org', label: folder, within: folder }),
    ...rootIf(join(folder, 'skills'), {
      layer: 'org',
      label: `${folder}/skills`,
      provider: 'codex',
      within: folder,
    }),
  ]);
  const userLayer = layerNamed('user', place.user);
  const user = [
    ...placesIn(home, { layer: userLayer, label: '~', within: home }, ['.claude/skills', '.agents/skills']),
    ...rootIf(join(codexHome, 'skills'), {
      layer: userLayer,
      label: '~/.codex/skills',
      provider: 'codex',
      within: codexHome,
    }),
  ];
  return [...org, ...user, ...projectPlaces(place)].map((plan) => ({
    ...plan,
    label: (plan.label ?? '').replace(/^[/\\]+/, '').replaceAll('\\', '/'),
  }));
}

function projectPlaces({ directory, home }: DiscoverPlace): SourcePlan[] {
  const here = resolve(directory);
  if (here === resolve(home)) return [];
  const top = topOf(here, resolve(home));
  const layer = layerNamed('project', basename(top));
  const label = (folder: string): string => relative(top, folder).split(sep).join('/');
  const plans: SourcePlan[] = [
    { layer, directory: here, label: label(here), layout: 'project', within: top },
  ];
  for (let folder = here; folder !== top;) {
    folder = dirname(folder);
    plans.push(...placesIn(folder, { layer, label: label(folder), within: top }));
  }
  return plans;
}

/** The repository's root; outside of one the highest folder below home; and elsewhere only where one stands. */
function topOf(here: string, home: string): string {
  const repository = repositoryOf(here);
  if (repository !== null && repository !== home) return repository;
  if (!here.startsWith(home + sep)) return here;
  return join(home, relative(home, here).split(sep)[0] ?? '');
}

type Where = Pick<SourcePlan, 'layer' | 'within'> & { readonly label: string };

/** The roots of each convention in one folder, without looking below it. */
function placesIn(folder: string, where: Where, only?: readonly string[]): SourcePlan[] {
  const at = (path: string): string => (where.label === '' ? path : `${where.label}/${path}`);
  const skills = CONVENTIONS.filter((convention) => only === undefined || only.includes(convention.folder));
  return [
    ...skills.flatMap(({ folder: path, provider }) =>
      rootIf(join(folder, path), { ...where, label: at(path), provider }),
    ),
    ...rootIf(join(folder, '.claude/commands'), {
      ...where,
      label: at('.claude/commands'),
      layout: 'commands',
    }),
    ...rootIf(join(folder, '.claude/workflows'), {
      ...where,
      label: at('.claude/workflows'),
      layout: 'workflows',
    }),
  ];
}

function rootIf(directory: string, plan: Omit<SourcePlan, 'directory'>): SourcePlan[] {
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? [{ layout: 'roots', ...plan, directory }] : [];
}

/** A layer of a person's or a folder's name, with whatever cannot stand in one left out. */
function layerNamed(kind: 'user' | 'project', name: string): Layer {
  const plain = name
    .replaceAll(/[^A-Za-z0-9._@-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return Layer.parse(`${kind}:${plain || 'local'}`);
}
