import { FOREIGN_LIMITS } from '../../core/limits.ts';
import {
  compatibilityReasons,
  descriptionReasons,
  foreignFields,
  isSpecName,
  totalSize,
  withoutYaml,
  type Judged,
} from './rules.ts';

const RESERVED = ['anthropic', 'claude'];
/** An XML tag: an opening bracket, a name behind it, a closing bracket. It stops at the next opening one: linear. */
const TAG = /<[/!?]?\p{L}[^<>]*>/u;

/** The checks of the Skills API and of claude.ai (systems.md 1b, ecosystem.md 4.1). */
export function anthropicReasons(judged: Judged): string[] {
  const broken = withoutYaml(judged);
  if (broken.length > 0) return broken;
  const { name, description } = judged.skill.frontmatter;
  const tagged = Object.entries({ name, description }).filter(
    ([, value]) => typeof value === 'string' && TAG.test(value),
  );
  return [
    ...foreignFields(judged),
    ...(typeof name === 'string' && isSpecName(name)
      ? []
      : ['the name is not 1-64 lower-case letters, digits and single hyphens']),
    ...RESERVED.filter((word) => typeof name === 'string' && name.toLowerCase().includes(word)).map(
      (word) => `the name contains the reserved word "${word}"`,
    ),
    ...tagged.map(([field]) => `the ${field} contains an XML tag`),
    ...descriptionReasons(judged),
    ...compatibilityReasons(judged),
    ...(totalSize(judged) < FOREIGN_LIMITS.anthropicBytes ? [] : ['the files are larger than 30 MB']),
  ];
}
