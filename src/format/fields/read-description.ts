import { SKILL_LIMITS } from '../../core/limits.ts';
import type { FieldReader } from './field-reader.ts';

/** The description; without one, what the instructions begin with, and at last the name. */
export function readDescription(reader: FieldReader, body: string, name: string): string {
  const described = reader.text('description');
  if (described === null) {
    reader.remark('description-missing', 'description', 'the skill has no description');
    const fallback = reader.mode.descriptionFallback === 'line' ? firstLine(body) : firstParagraph(body);
    return fallback ?? name;
  }
  // A character is at least one UTF-16 unit: only long texts have to be counted.
  if (
    described.length > SKILL_LIMITS.descriptionCharacters &&
    [...described].length > SKILL_LIMITS.descriptionCharacters
  )
    reader.remark('description-too-long', 'description', 'the description has more than 1,024 characters');
  return described;
}

/** The first paragraph without heading marks: what a reader would take for the description. No code, no rules. */
function firstParagraph(body: string): string | null {
  for (const block of body.split(/\n[ \t]*\n/)) {
    const plain = withoutHeadingMarks(block).replaceAll(/\s+/g, ' ').trim();
    if (plain !== '' && !plain.startsWith('```') && !plain.startsWith('---')) return cut(plain, 200, '…');
  }
  return null;
}

/** The baseline's way. */
function firstLine(body: string): string | null {
  const line = body.split('\n').find((candidate) => candidate.trim() !== '');
  return line === undefined ? null : cut(withoutHeadingMarks(line), 100, '...');
}

function withoutHeadingMarks(text: string): string {
  return text.trim().replace(/^#+[ \t]*/, '');
}

function cut(text: string, characters: number, mark: string): string {
  return text.length > characters ? text.slice(0, characters - mark.length).toWellFormed() + mark : text;
}
