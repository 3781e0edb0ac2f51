import type { Json } from '../../core/canonical-json.ts';
import { SKILL_LIMITS } from '../../core/limits.ts';
import { type FieldReader, textOf } from './field-reader.ts';
import { readCodexInterface, readCodexPolicy } from './read-codex.ts';
import { readDescription } from './read-description.ts';
import { readHooks } from './read-hooks.ts';
import { readMetadata } from './read-metadata.ts';
import { readPaths } from './read-paths.ts';
import { readRequires, REQUIREMENT_KEYS } from '../requires/read-requires.ts';
import { Effort, type SkillFields } from './skill-fields.ts';
import { splitTools } from './split-tools.ts';

/** Keys that are understood here or kept on purpose; all others are reported as information. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  [
    'name description when_to_use when-to-use short_description argument-hint arguments version license compatibility',
    'allowed-tools disallowed-tools model effort context agent background persist user-invocable disable-model-invocation',
    'metadata paths globs alwaysApply shell hooks policy interface',
  ]
    .flatMap((line) => line.split(' '))
    .concat(REQUIREMENT_KEYS),
);

/** Reads every typed field; a wrong value is reported and ignored, never an exception. */
export function readFields(reader: FieldReader, body: string, name: string): SkillFields {
  const description = readDescription(reader, body, name);
  const metadata = readMetadata(reader);
  const policy = readCodexPolicy(reader);
  const listed = readCodexInterface(reader);
  const { requires, install } = readRequires(reader, metadata);
  for (const key of reader.keys.keys()) {
    if (!KNOWN_KEYS.has(key)) reader.remark('key-unknown', key, `nothing acts on ${JSON.stringify(key)}`);
  }
  return {
    description,
    whenToUse: reader.text('when_to_use') ?? reader.text('when-to-use'),
    shortDescription:
      reader.text('short_description') ?? listed?.shortDescription ?? textOf(metadata['short-description']),
    argumentHint: argumentHint(reader),
    arguments: reader.list('arguments', words).filter((argument) => !/^\d+$/.test(argument)),
    version: reader.text('version')?.slice(0, SKILL_LIMITS.versionCharacters).toWellFormed() ?? null,
    license: reader.text('license'),
    compatibility: reader.text('compatibility'),
    metadata,
    allowedTools: reader.list('allowed-tools', splitTools),
    disallowedTools: reader.list('disallowed-tools', splitTools),
    model: readModel(reader),
    effort: readEffort(reader),
    context: reader.choice('context', ['inline', 'fork']) ?? 'inline',
    agent: reader.text('agent'),
    background: reader.flag('background', true),
    persist: reader.flag('persist', true),
    userInvocable: reader.flag('user-invocable', true),
    // Codex says the same in its own words; the stricter of the two counts.
    disableModelInvocation:
      reader.flag('disable-model-invocation', false) || policy?.allowImplicitInvocation === false,
    paths: readPaths(reader, 'paths'),
    globs: readPaths(reader, 'globs'),
    alwaysApply: reader.flag('alwaysApply', false),
    shell: reader.choice('shell', ['bash', 'powershell']),
    hooks: readHooks(reader),
    policy,
    interface: listed,
    requires,
    install,
  };
}

function words(value: string): string[] {
  return value.split(/\s+/).filter(Boolean);
}

/** `[date] [range]` is written unquoted so often, and is then a YAML list, that a list is spelled back. */
function argumentHint(reader: FieldReader): string | null {
  const value: Json | undefined = reader.value('argument-hint');
  return Array.isArray(value)
    ? value.map((item: Json) => `[${textOf(item) ?? ''}]`).join(' ')
    : reader.text('argument-hint');
}

function readModel(reader: FieldReader): string | null {
  const model = reader.text('model');
  return model?.toLowerCase() === 'inherit' ? null : model;
}

function readEffort(reader: FieldReader): SkillFields['effort'] {
  const text = reader.text('effort')?.toLowerCase();
  if (text === undefined) return null;
  const parsed = Effort.safeParse(/^\d{1,9}$/.test(text) ? Number(text) : text);
  if (!parsed.success) reader.invalid('effort', 'low, medium, high, xhigh, max or a number');
  return parsed.data ?? null;
}
