import { canonicalJson } from '../core/canonical-json.ts';
import { cutText } from '../core/cut-text.ts';
import { digestOf } from '../core/digest.ts';
import { SCAN_LIMITS } from '../core/limits.ts';
import { visibleCharacters } from '../core/visible-characters.ts';
import type { Remark } from './checks/check.ts';
import { evidenceOf } from './evidence.ts';
import type { Finding } from './finding.ts';
import type { RuleText } from './rule.ts';
import type { Match } from './scan-text.ts';
import type { Weighed } from './severity.ts';

interface ReadFile {
  readonly skill: string;
  readonly path: string;
  readonly text: string;
}

/** A match as a finding that a report can hold. */
export function weighMatch(
  { skill, path, text }: ReadFile,
  { rule, severity, start, end, decoded }: Match,
): Weighed {
  const where = decoded ?? { text, start, end };
  const shown = evidenceOf(where.text, where.start, where.end, rule.secret === true);
  return {
    caution: rule.caution,
    finding: {
      ...said(rule),
      severity,
      path,
      line: lineOf(text, start),
      evidence: decoded ? `decoded: ${shown}` : shown,
      hash: hashOf(rule, skill, path, wholeLines(where.text, where.start, where.end)),
    },
  };
}

export function weighRemark(skill: string, { rule, severity, path, evidence }: Remark): Weighed {
  const shown = visibleCharacters(
    cutText(evidence.toWellFormed(), SCAN_LIMITS.evidenceCharacters).split('\n', 1)[0] ?? '',
  );
  return {
    caution: rule.caution,
    finding: {
      ...said(rule),
      severity: severity ?? rule.severity,
      path,
      line: 1,
      evidence: shown,
      hash: hashOf(rule, skill, path, evidence),
    },
  };
}

function said({
  id,
  version,
  category,
  message,
  remediation,
}: RuleText): Pick<Finding, 'rule' | 'ruleVersion' | 'category' | 'message' | 'remediation'> {
  return { rule: id, ruleVersion: version, category, message, remediation };
}

function hashOf({ id }: RuleText, skill: string, path: string, found: string): Finding['hash'] {
  return digestOf(canonicalJson([id, skill, path, found.toWellFormed()]));
}

/** The lines of a match; of long ones what is around it, since a file of one line may have many findings. */
function wholeLines(text: string, start: number, end: number): string {
  const room = SCAN_LIMITS.hashedCharacters;
  const before = text.slice(Math.max(0, start - room), start);
  const behind = text.slice(end, end + room);
  const next = behind.indexOf('\n');
  const match = text.slice(start, Math.min(end, start + room));
  return `${before.slice(before.lastIndexOf('\n') + 1)}${match}${next === -1 ? behind : behind.slice(0, next)}`.trim();
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
