import { byCodeUnit } from '../core/canonical-json.ts';

/**
 * Frontmatter fields that change only what is said, to whom it is shown, or what is checked before. `install` is not one
 * of them: whoever follows it runs an installer.
 */
const SAFE: ReadonlySet<string> = new Set(
  [
    'name description whenToUse argumentHint arguments version license compatibility metadata',
    'shortDescription userInvocable disableModelInvocation paths background persist',
    'globs alwaysApply policy interface requires',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Fields that say where the skill's own prompt runs and which model reads it. They open nothing that is not asked about on
 * its own, so they are safe, unless an organisation wants a question for them.
 */
export const PLACEMENT = ['context', 'agent', 'model', 'effort'] as const;
type Placement = (typeof PLACEMENT)[number];
const PLACEMENTS: ReadonlySet<string> = new Set(PLACEMENT);

/**
 * The fields for whose sake a skill has to be asked about, sorted. `fields` holds only those that Skilledge acts on, by
 * their camelCase names. The list of safe ones is closed: a field that is new (and `allowedTools`, `disallowedTools`,
 * `hooks`, `shell`) is unsafe as soon as it says something. `asked`: placements that need a question too.
 */
export function unsafeProperties(
  fields: Readonly<Record<string, unknown>>,
  asked: readonly Placement[] = [],
): readonly string[] {
  const known = answers.get(fields) ?? readUnsafe(fields);
  answers.set(fields, known);
  if (asked.length === 0) return known;
  return [...known, ...asked.filter((name) => places(name, fields[name]))].toSorted(byCodeUnit);
}

/** Reports are remembered and never change, so the answer for one is the same for as long as it lives. */
const answers = new WeakMap<object, readonly string[]>();

function readUnsafe(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => !SAFE.has(name) && !PLACEMENTS.has(name) && saysSomething(value))
    .map(([name]) => name)
    .toSorted(byCodeUnit);
}

/** `inline` is what a skill is whose author says nothing. */
function places(name: Placement, value: unknown): boolean {
  return saysSomething(value) && !(name === 'context' && value === 'inline');
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
