import { FOREIGN_LIMITS, SKILL_LIMITS } from '../../core/limits.ts';
import { codePoints, foreignFields, whereReported, whereUsed, withoutYaml, type Judged } from './rules.ts';

/**
 * skills-ref reads with strictyaml, for which every scalar is text, and takes letters and digits of any alphabet in a
 * name as long as none is a capital (ecosystem.md 1.2).
 */
export function agentSkillsReasons(judged: Judged): string[] {
  const broken = withoutYaml(judged);
  if (broken.length > 0) return broken;
  return [
    ...whereReported(judged, 'byte-order-mark', 'the file begins with a byte order mark and not with ---'),
    ...(judged.frontmatterText?.includes('---') ? ['the frontmatter contains ---, where it is cut off'] : []),
    ...whereUsed(judged, {
      flow: 'strictyaml has no flow style',
      anchor: 'strictyaml has no anchors',
      tag: 'strictyaml has no tags',
      alias: 'strictyaml has no aliases',
      'duplicate-key': 'a key stands twice',
    }),
    ...foreignFields(judged),
    ...nameReasons(judged),
    ...lengthReasons(judged, 'description', SKILL_LIMITS.descriptionCharacters, true),
    ...lengthReasons(judged, 'compatibility', FOREIGN_LIMITS.compatibilityCharacters, false),
  ];
}

function nameReasons(judged: Judged): string[] {
  const name = scalar(judged, 'name')?.normalize('NFKC').trim();
  if (!name) return ['the name is missing'];
  return [
    ...(codePoints(name) > SKILL_LIMITS.nameCharacters ? ['the name is longer than 64 characters'] : []),
    ...(name === name.toLowerCase() ? [] : ['the name has capitals']),
    ...(/^-|-$|--/.test(name) ? ['the name begins or ends with a hyphen, or has two in a row'] : []),
    ...(/^[\p{L}\p{N}-]*$/u.test(name)
      ? []
      : ['the name has other characters than letters, digits and hyphens']),
  ];
}

function lengthReasons(judged: Judged, field: string, limit: number, needed: boolean): string[] {
  const value = scalar(judged, field);
  if (value === null || value.trim() === '') {
    const absent = !Object.hasOwn(judged.skill.frontmatter, field);
    return absent && !needed ? [] : needed ? [`the ${field} is missing or empty`] : [];
  }
  return codePoints(value) > limit ? [`the ${field} has more than ${limit} characters`] : [];
}

/** Numbers and switches are text to strictyaml. */
function scalar(judged: Judged, field: string): string | null {
  const value = judged.skill.frontmatter[field];
  return value === undefined || value === null || typeof value === 'object' ? null : String(value);
}
