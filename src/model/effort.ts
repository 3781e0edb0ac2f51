import type { SkillFields } from '../format/fields/skill-fields.ts';

type Level = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** Levels for tokens that a model may think with, which is what a number stands for: the first that is enough. */
const LEVELS: readonly (readonly [tokens: number, level: Level])[] = [
  [4_096, 'low'],
  [16_384, 'medium'],
  [32_768, 'high'],
  [65_536, 'xhigh'],
];

/** A skill's effort as one of five levels; undefined where it says none. */
export function effortLevel(effort: SkillFields['effort'] | undefined): Level | undefined {
  if (typeof effort !== 'number') return effort ?? undefined;
  return LEVELS.find(([tokens]) => effort <= tokens)?.[1] ?? 'max';
}

/** The same for servers that know three levels, and refuse others. */
export function threeLevels(level: Level | undefined): Level | undefined {
  return level === 'xhigh' || level === 'max' ? 'high' : level;
}
