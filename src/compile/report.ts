import { z } from 'zod';
import type { Json } from '../core/canonical-json.ts';
import { Compatibility } from '../format/compatibility/compatibility.ts';
import { Diagnostic } from '../format/diagnostic.ts';
import { SkillFields } from '../format/fields/skill-fields.ts';
import { ScanResult } from '../scan/finding.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { SkillTokens } from '../catalog/token-counts.ts';

/**
 * Part of every report's identity: raised whenever the same bytes would compile to another report. A deployment accepts
 * reports of its own version only, since it compiles what is published again to see that nobody wrote one by hand.
 */
export const COMPILER_VERSION = 4;

const JsonValue: z.ZodType<Json> = z.json();

/** Everything computed about a revision. It follows from the revision's files alone: no time, no place, no publisher. */
export const Report = z.strictObject({
  compiler: z.literal(COMPILER_VERSION),
  revision: DigestSchema,
  name: z.string(),
  fields: SkillFields,
  /** The author's frontmatter, every key, as JSON. */
  frontmatter: z.record(z.string(), JsonValue),
  /** The same as it was written, without fences; null where the file has none. */
  frontmatterText: z.string().nullable(),
  diagnostics: z.array(Diagnostic),
  /** Whether other runtimes would take the skill as it is. */
  compatibility: Compatibility,
  body: z.strictObject({ characters: z.int(), lines: z.int() }),
  /** Null where there was no tokenizer when it was built, or where counting would have taken minutes. */
  tokens: SkillTokens.nullable(),
  /** What a scan of all files found: evidence, not a verdict of trust. */
  scan: ScanResult,
});
export type Report = z.infer<typeof Report>;
