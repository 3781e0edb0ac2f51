import { z } from 'zod';
import type { Json } from '../core/canonical-json.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import type { FrontmatterKey } from './frontmatter-key.ts';
import { HooksSchema, readHooks } from './read-hooks.ts';
import { splitTools } from './split-tools.ts';

const Effort = z.union([z.enum(['low', 'medium', 'high', 'xhigh', 'max']), z.int().nonnegative()]);

/**
 * The fields that Skilledge acts on, typed, with null for what the author did not say. The names are those that
 * `policy/safe-properties.ts` classifies; a field added here is unsafe there until it is listed.
 */
export const SkillFields = z.strictObject({
  description: z.string(),
  whenToUse: z.string().nullable(),
  shortDescription: z.string().nullable(),
  argumentHint: z.string().nullable(),
  arguments: z.array(z.string()),
  version: z.string().nullable(),
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  allowedTools: z.array(z.string()),
  disallowedTools: z.array(z.string()),
  model: z.string().nullable(),
  effort: Effort.nullable(),
  context: z.enum(['inline', 'fork']),
  agent: z.string().nullable(),
  background: z.boolean(),
  userInvocable: z.boolean(),
  disableModelInvocation: z.boolean(),
  paths: z.array(z.string()),
  shell: z.enum(['bash', 'powershell']).nullable(),
  hooks: HooksSchema.nullable(),
});
export type SkillFields = z.infer<typeof SkillFields>;

/** Keys that are understood here or kept on purpose; all others are reported as information. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'when_to_use',
  'when-to-use',
  'argument-hint',
  'arguments',
  'version',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'disallowed-tools',
  'model',
  'effort',
  'context',
  'agent',
  'background',
  'user-invocable',
  'disable-model-invocation',
  'paths',
  'shell',
  'hooks',
  'short_description',
]);

const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** Reads every typed field; a wrong value is reported and ignored, never an exception. */
export function readFields(
  keys: ReadonlyMap<string, FrontmatterKey>,
  body: string,
  name: string,
  path: string,
): { fields: SkillFields; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const invalid = (key: string, wanted: string): void => {
    diagnostics.push(diagnostic('field-invalid', path, keys.get(key)?.line ?? 1, `${key} is not ${wanted}`));
  };
  const text = (key: string): string | null => {
    const entry = keys.get(key);
    if (!entry || entry.value === null) return null;
    if (typeof entry.value === 'string') return entry.value.trim() || null;
    if (typeof entry.value === 'object') {
      invalid(key, 'text');
      return null;
    }
    return entry.source ?? String(entry.value);
  };
  const flag = (key: string, otherwise: boolean): boolean => {
    const spelled = text(key)?.toLowerCase();
    if (spelled === undefined) return otherwise;
    if (TRUE.has(spelled)) return true;
    if (!FALSE.has(spelled)) invalid(key, 'yes or no');
    return FALSE.has(spelled) ? false : otherwise;
  };
  const list = (key: string, split: (value: string) => string[]): string[] => {
    const entry = keys.get(key);
    if (!entry || entry.value === null) return [];
    if (Array.isArray(entry.value))
      return entry.value.flatMap((item: Json) => (typeof item === 'object' ? [] : [String(item)]));
    const value = text(key);
    return value === null ? [] : split(value);
  };
  const choice = <Value extends string>(key: string, values: readonly Value[]): Value | null => {
    const value = text(key)?.toLowerCase();
    if (value === undefined) return null;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) invalid(key, `one of ${values.join(', ')}`);
    return found ?? null;
  };

  const described = text('description');
  const description = described ?? firstParagraph(body) ?? name;
  if (described === null) {
    const line = keys.get('description')?.line ?? 1;
    diagnostics.push(diagnostic('description-missing', path, line, 'the skill has no description'));
  } else if ([...described].length > SKILL_LIMITS.descriptionCharacters) {
    const line = keys.get('description')?.line ?? 1;
    diagnostics.push(
      diagnostic('description-too-long', path, line, 'the description has more than 1,024 characters'),
    );
  }
  const hooks = readHooks(keys.get('hooks'), path);
  diagnostics.push(...hooks.diagnostics);
  for (const [key, entry] of keys) {
    if (!KNOWN_KEYS.has(key))
      diagnostics.push(diagnostic('key-unknown', path, entry.line, `nothing acts on "${key}"`));
  }

  const fields: SkillFields = {
    description,
    whenToUse: text('when_to_use') ?? text('when-to-use'),
    shortDescription: text('short_description'),
    argumentHint: argumentHint(keys.get('argument-hint')) ?? null,
    arguments: list('arguments', words).filter((argument) => argument !== '' && !/^\d+$/.test(argument)),
    version: versionText(keys.get('version')),
    license: text('license'),
    compatibility: text('compatibility'),
    allowedTools: list('allowed-tools', splitTools),
    disallowedTools: list('disallowed-tools', splitTools),
    model: text('model') === 'inherit' ? null : text('model'),
    effort: readEffort(keys.get('effort'), () =>
      invalid('effort', 'low, medium, high, xhigh, max or a number'),
    ),
    context: choice('context', ['inline', 'fork']) ?? 'inline',
    agent: text('agent'),
    background: flag('background', true),
    userInvocable: flag('user-invocable', true),
    disableModelInvocation: flag('disable-model-invocation', false),
    paths: list('paths', (value) => value.split(',').map((part) => part.trim())).filter(Boolean),
    shell: choice('shell', ['bash', 'powershell']),
    hooks: hooks.hooks,
  };
  return { fields, diagnostics };
}

function words(value: string): string[] {
  return value.split(/\s+/).filter(Boolean);
}

/** The first paragraph of the instructions, without heading marks: what a reader would take for the description. */
function firstParagraph(body: string): string | null {
  for (const block of body.split(/\n[ \t]*\n/)) {
    const plain = block
      .trim()
      .replace(/^#+[ \t]*/, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (plain !== '' && !plain.startsWith('```') && !plain.startsWith('---')) {
      return plain.length > 200 ? `${plain.slice(0, 199)}…`.toWellFormed() : plain;
    }
  }
  return null;
}

/** `[date] [range]` is written unquoted so often, and is then a YAML list, that a list is spelled back. */
function argumentHint(entry: FrontmatterKey | undefined): string | null {
  if (!entry || entry.value === null) return null;
  if (Array.isArray(entry.value)) return entry.value.map((item: Json) => `[${String(item)}]`).join(' ');
  return typeof entry.value === 'object' ? null : (entry.source ?? String(entry.value));
}

function versionText(entry: FrontmatterKey | undefined): string | null {
  if (!entry || entry.value === null || typeof entry.value === 'object') return null;
  return (entry.source ?? String(entry.value)).slice(0, SKILL_LIMITS.versionCharacters).toWellFormed();
}

function readEffort(entry: FrontmatterKey | undefined, invalid: () => void): SkillFields['effort'] {
  if (!entry || entry.value === null) return null;
  const value =
    typeof entry.value === 'string' && /^\d{1,9}$/.test(entry.value) ? Number(entry.value) : entry.value;
  const parsed = Effort.safeParse(typeof value === 'string' ? value.trim().toLowerCase() : value);
  if (!parsed.success) invalid();
  return parsed.success ? parsed.data : null;
}
