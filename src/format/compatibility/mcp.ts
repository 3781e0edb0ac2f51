import type { Json } from '../../core/canonical-json.ts';
import { SKILL_LIMITS } from '../../core/limits.ts';
import {
  compatibilityReasons,
  descriptionReasons,
  isSpecName,
  totalSize,
  whereReported,
  whereUsed,
  withoutYaml,
  type Judged,
} from './rules.ts';

/**
 * The TypeScript SDK reads a subset of YAML on purpose, so that client and server cannot differ, and drops a skill that
 * goes beyond (ecosystem.md 3.1). Any field may stand in the frontmatter.
 */
export function mcpReasons(judged: Judged): string[] {
  const broken = withoutYaml(judged);
  if (broken.length > 0) return broken;
  const { name, metadata } = judged.skill.frontmatter;
  return [
    ...whereReported(judged, 'fence-spaces', 'the first line is not exactly ---'),
    ...whereUsed(judged, {
      anchor: 'the reader has no anchors',
      alias: 'the reader has no aliases',
      tag: 'the reader has no tags',
      'flow-over-lines': 'a flow collection goes over several lines',
      'pair-in-flow-list': 'a pair stands in a flow list',
      'quotes-over-lines': 'a quoted text goes over several lines',
      'indentation-indicator': 'a block text counts its indentation',
      'bare-key': 'a key in braces has no value',
      'complex-key': 'a key is marked with ?, or is no text',
      'typed-key': 'a key is a number, a switch or null',
      'prototype-key': 'a key is __proto__',
      'infinite-number': 'a number is not finite',
      'duplicate-key': 'a key stands twice',
    }),
    ...(/^\uFEFF|\n\.\.\.[ \t]*(?:\n|$)/.test(judged.frontmatterText ?? '')
      ? ['the document ends before the frontmatter, or begins with a byte order mark']
      : []),
    ...(typeof name === 'string' && isSpecName(name)
      ? []
      : ['the name is not 1-64 lower-case letters, digits and single hyphens']),
    ...descriptionReasons(judged),
    ...compatibilityReasons(judged),
    ...(metadata === undefined || isTextMap(metadata) ? [] : ['metadata does not map texts to texts']),
    ...(judged.files.length > SKILL_LIMITS.files ? [`it has more than ${SKILL_LIMITS.files} files`] : []),
    ...(totalSize(judged) > SKILL_LIMITS.totalBytes ? ['its files are larger than 16 MiB'] : []),
  ];
}

function isTextMap(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((member) => typeof member === 'string');
}
