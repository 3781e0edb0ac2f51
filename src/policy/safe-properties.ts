import { byCodeUnit } from '../core/canonical-json.ts';

/**
 * Frontmatter fields that change only what is said, to whom it is shown, what is checked before, or where the skill's own
 * prompt runs. `install` is not one of them: whoever follows it runs an installer.
 */
const SAFE: ReadonlySet<string> = new Set(
  [
    'name description whenToUse argumentHint arguments version license compatibility metadata',
    'shortDescription userInvocable disableModelInvocation paths context agent model effort background persist',
    'globs alwaysApply policy interface requires',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The fields for whose sake a skill has to be asked about, sorted. `fields` holds only those that Skilledge acts on, by
 * their camelCase names. The list of safe ones is closed: a field that is new (and `allowedTools`, `disallowedTools`,
 * `hooks`, `shell`) is unsafe as soon as it says something.
 */
export function unsafeProperties(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const known = answers.get(fields) ?? readUnsafe(fields);
  answers.set(fields, known);
  return known;
}

/** Reports are remembered and never change, so the answer for one is the same for as long as it lives. */
const answers = new WeakMap<object, readonly string[]>();

function readUnsafe(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => !SAFE.has(name) && saysSomething(value))
    .map(([name]) => name)
    .toSorted(byCodeUnit);
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
