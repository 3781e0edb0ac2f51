import { z } from 'zod';
import { skillBody } from '../format/parse-skill.ts';
import { documentKind } from '../view/json-document.ts';
import { headingsOf } from './headings.ts';
import type { SkillTexts } from './index-skill.ts';

/** What the index needs of a report, whichever compiler wrote it. */
const SearchedReport = z.object({
  fields: z.object({
    metadata: z.record(z.string(), z.unknown()).default({}),
    interface: z.object({ displayName: z.string().nullish() }).nullish(),
  }),
  frontmatter: z.record(z.string(), z.unknown()).default({}),
});
type SearchedReport = z.infer<typeof SearchedReport>;

export const SEARCHED_REPORT = documentKind(SearchedReport);

/** Keys under which authors put tags, at the top or in their metadata. */
const TAG_KEYS = ['tags', 'keywords', 'category', 'categories', 'domain', 'topics'];

export function skillTexts(report: SearchedReport, skillFile: Uint8Array): SkillTexts {
  const { metadata, interface: shown } = report.fields;
  const tags = [report.frontmatter, metadata].flatMap((map) => TAG_KEYS.flatMap((key) => textsOf(map[key])));
  return { tags: [...tags, ...textsOf(shown?.displayName)], headings: headingsOf(skillBody(skillFile)) };
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
