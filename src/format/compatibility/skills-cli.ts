import {
  descriptionReasons,
  isSpecName,
  whereReported,
  whereUsed,
  withoutYaml,
  type Judged,
} from './rules.ts';

/** Found by a regular expression, then read by a full YAML parser; only an index asks for a valid name (ecosystem.md 2.3). */
export function skillsCliReasons(judged: Judged): string[] {
  const broken = withoutYaml(judged);
  if (broken.length > 0) return broken;
  const { name } = judged.skill.frontmatter;
  return [
    ...whereReported(judged, 'fence-spaces', 'the first line is not exactly ---'),
    ...(/^---/m.test(judged.frontmatterText ?? '')
      ? ['a line of the frontmatter begins with ---, where it is cut off']
      : []),
    ...whereUsed(judged, { 'duplicate-key': 'a key stands twice' }),
    ...(typeof name === 'string' ? [] : ['the name is missing or no text']),
    ...(typeof name !== 'string' || isSpecName(name)
      ? []
      : ['an index takes only names of 1-64 lower-case letters, digits and single hyphens']),
    // Its limit counts UTF-16 units.
    ...descriptionReasons(judged, (text) => text.length),
  ];
}
