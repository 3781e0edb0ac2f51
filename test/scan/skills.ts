import { parseSkill } from '../../src/format/parse-skill.ts';
import type { ScannedFile, SkillFacts } from '../../src/scan/scan-skill.ts';

/** What parsing a SKILL.md gives a scan. */
export function factsOf(text: string): SkillFacts {
  const { skill, diagnostics } = parseSkill(new TextEncoder().encode(text), 'skill', 'SKILL.md');
  if (!skill) throw new Error(JSON.stringify(diagnostics));
  return skill;
}

/** The files of a skill from their texts. */
export function filesOf(texts: Readonly<Record<string, string | Uint8Array>>): ScannedFile[] {
  return Object.entries(texts).map(([path, content]) => ({
    path,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    executable: false,
  }));
}
