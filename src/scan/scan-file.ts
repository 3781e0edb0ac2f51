import { isUtf8 } from 'node:buffer';
import { SCAN_LIMITS } from '../core/limits.ts';
import type { ScannedFile, SkillFacts } from './checks/check.ts';
import { isUtf16, magicOf } from './checks/magic.ts';
import { CodeModel } from './code-model.ts';
import type { Surroundings } from './context.ts';
import { fileKind } from './file-kind.ts';
import { MarkdownModel } from './markdown-model.ts';
import type { TextModel } from './place.ts';
import type { PatternRule } from './rule.ts';
import { ruleSet } from './rules/all-rules.ts';
import { bySeverity, decodeText, type Effort, lazily, type Match, scanText } from './scan-text.ts';
import type { Weighed } from './severity.ts';
import { weighMatch } from './weigh.ts';

export interface FileScan {
  readonly found: readonly Weighed[];
  /** What of the skill's room for text it took. */
  readonly bytes: number;
  readonly complete: boolean;
}

const SECURITY =
  /\b(?:secur\w*|vulnerab\w*|pentest\w*|penetration|exploit\w*|malware|threats?|attack\w*|red[- ]team\w*|forensic\w*|ctf|fuzz\w*|audit\w*|incident|detection|injection|hardening|owasp|cve|yara|semgrep|codeql|reverse[- ]engineer\w*|guardrails?|sandbox\w*|safety|defen[cs]e|defenders?|malicious|suspicious|leaks?)\b/i;
const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|evals?)\/|(?:^|[/._-])(?:test|spec)s?[._-][^/]*$|[._-](?:test|spec)\.\w+$/i;
/** Of tests: what a runner starts by itself. */
const RUNS_BY_ITSELF =
  /(?:^|\/)(?:conftest|setup|sitecustomize)\.py$|(?:^|\/)(?:run[-_]?)?tests?\.(?:sh|bash|ps1)$/;

/** Tries the rules on one file, as far as there is room. Binary files are the business of the checks. */
export function scanFile({ path, bytes }: ScannedFile, facts: SkillFacts, room: number): FileScan {
  if (magicOf(bytes) !== 'text') return { found: [], bytes: 0, complete: true };
  const whole = isUtf16(bytes) ? utf8Of(bytes) : bytes;
  const part = validUtf8(whole.length > room ? whole.subarray(0, Math.max(0, room)) : whole);
  const effort: Effort = {
    characters: SCAN_LIMITS.patternCharacters,
    decoded: SCAN_LIMITS.decodedCharacters,
    complete: whole.length <= room,
  };
  const surroundings = lazily((): Surroundings => ({
    security: SECURITY.test(`${facts.name} ${facts.fields.description}`.slice(0, 2_048)),
    test: TEST.test(path) && !RUNS_BY_ITSELF.test(path),
  }));
  const matches = new Map<PatternRule, Match[]>();
  const read = lazily(() => decodeText(part));
  const input = { bytes: part, read, modelOf: (text: string) => modelOf(path, text), depth: 0 };
  for (const match of scanText(ruleSet(), input, surroundings, effort)) {
    const known = matches.get(match.rule) ?? [];
    known.push(match);
    matches.set(match.rule, known);
  }
  if (matches.size === 0) return { found: [], bytes: part.length, complete: effort.complete };
  const file = { skill: facts.name, path, text: read() };
  const found = [...matches.values()].flatMap((all) =>
    all
      .toSorted(bySeverity)
      .slice(0, SCAN_LIMITS.matchesOfRule)
      .map((match) => weighMatch(file, match)),
  );
  return { found, bytes: part.length, complete: effort.complete };
}

function modelOf(path: string, text: string): TextModel {
  const { reader, syntax } = fileKind(path, text.slice(0, text.indexOf('\n') + 1 || 80));
  if (reader === 'agent') return new MarkdownModel(text);
  const code = new CodeModel(text, syntax);
  if (reader === 'interpreter') return code;
  return {
    placeOf: (start, end) => {
      const place = code.placeOf(start, end);
      return place.zone === 'comment' || place.zone === 'hidden' ? place : { ...place, zone: 'data' };
    },
  };
}

/** Bytes that are no UTF-8 are replaced where a text is decoded, and would then not be where they were. */
function validUtf8(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : new TextEncoder().encode(decodeText(bytes));
}

function utf8Of(bytes: Uint8Array): Uint8Array {
  const label = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  return new TextEncoder().encode(new TextDecoder(label).decode(bytes));
}
