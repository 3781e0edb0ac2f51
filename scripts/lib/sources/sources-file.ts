import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { Layer } from '../../../src/catalog/layers.ts';
import { PrecedenceName } from '../../../src/catalog/precedence.ts';
import { Provider, provenanceProblem, Trust, usualTrust } from '../../../src/catalog/provenance.ts';
import { type Fault, type Positioned, readPositioned } from '../../../src/compile/positioned-document.ts';
import { SOURCE_LIMITS } from '../../../src/core/limits.ts';
import { fail, ok, type Result } from '../../../src/core/result.ts';
import { LayoutName, SkillChoice, type SourcePlan } from './source-plan.ts';

const Globs = z.array(z.string().min(1).max(512)).default([]);

const SourceRow = z.strictObject({
  layer: Layer,
  /** Relative to the file. */
  path: z.string().min(1),
  layout: LayoutName.default('tree'),
  trust: Trust.optional(),
  provider: Provider.optional(),
  enabled: z.boolean().default(true),
  ignore: Globs,
  include: Globs,
});

const Choice = z.union([SkillChoice, SkillChoice.shape.state.transform((state): SkillChoice => ({ state }))]);

/** `skilledge.yaml`. */
const SourcesFile = z.strictObject({
  version: z.literal(1),
  precedence: PrecedenceName.optional(),
  flags: z.array(z.string().min(1).max(64)).default([]),
  sources: z.array(SourceRow).default([]),
  /** By name, or by `layer/name` where only one layer is meant. */
  skills: z.record(z.string(), Choice).default({}),
});
type SourcesFile = z.infer<typeof SourcesFile>;

export interface SourceSettings {
  readonly sources: readonly SourcePlan[];
  readonly precedence: PrecedenceName | undefined;
  readonly flags: readonly string[];
  readonly skills: Readonly<Record<string, SkillChoice>>;
}

/** Reads a sources file. Every fault is one line `file:line: what is wrong`. */
export function readSourcesFile(file: string): Result<SourceSettings, string[]> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return fail([`${file}:1: no such file`]);
  if (stats.size > SOURCE_LIMITS.manifestBytes) return fail([`${file}:1: the file is too large`]);
  const lines = (faults: readonly Fault[]): string[] =>
    faults.map(({ line, message }) => `${file}:${line}: ${message}`);
  const read = readPositioned(readFileSync(file, 'utf8'), SourcesFile);
  if (!read.ok) return fail(lines(read.error));
  const folder = dirname(resolve(file));
  const faults = checkSources(read.value, folder);
  if (faults.length > 0) return fail(lines(faults));
  const { sources, precedence, flags, skills } = read.value.value;
  const plans = sources
    .filter(({ enabled }) => enabled)
    .map(({ layer, path, layout, trust, provider, ignore, include }): SourcePlan => ({
      layer,
      directory: resolve(folder, path),
      label: labelOf(path) || basename(resolve(folder, path)),
      layout,
      ignore,
      include,
      ...(trust === undefined ? {} : { trust }),
      ...(provider === undefined ? {} : { provider }),
    }));
  return ok({ sources: plans, precedence, flags, skills });
}

/** A path as origins begin with it: `../shared/skills/` is `shared/skills`. */
function labelOf(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .join('/');
}

/** What a schema cannot say: folders that are not there, and layers that cannot be what a source wants to be. */
function checkSources({ value, line }: Positioned<SourcesFile>, folder: string): Fault[] {
  return value.sources.flatMap(
    ({ layer, path, layout, trust = usualTrust(layer), enabled }, index): Fault[] => {
      const at = (member: string, message: string): Fault[] => [
        { line: line(['sources', index, member]), message: `sources.${index}.${member}: ${message}` },
      ];
      const kind = layout === 'mcp-prompts' ? 'mcp-prompt' : 'skill';
      const problem = provenanceProblem(layer, { kind, trust });
      if (problem) return at(kind === 'mcp-prompt' ? 'layout' : 'trust', problem);
      const isFolder = statSync(resolve(folder, path), { throwIfNoEntry: false })?.isDirectory();
      return enabled && !isFolder ? at('path', `no folder ${path}`) : [];
    },
  );
}
