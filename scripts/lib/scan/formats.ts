import { visibleCharacters } from '../../../src/core/visible-characters.ts';
import type { Finding, Severity } from '../../../src/scan/finding.ts';
import { EVERY_RULE } from '../../../src/scan/rules/every-rule.ts';
import { SCAN_NOTE } from '../../../src/view/shown-scan.ts';
import { type SarifLevel, sarifLog } from '../sarif.ts';
import type { ScannedSkill } from './scan-target.ts';

const LEVELS: Readonly<Record<Severity, SarifLevel>> = { critical: 'error', warn: 'warning', info: 'note' };

/** As compilers print, skills with something to see first by their verdicts. */
export function scanText(skills: readonly ScannedSkill[]): string {
  const lines = skills
    .filter(({ verdict, findings }) => verdict !== 'safe' || findings.length > 0)
    .flatMap(({ skill, path, verdict, findings, complete }) => [
      `${verdict} ${skill} (${path})${complete ? '' : ': not all of it was looked at'}`,
      ...findings.flatMap((finding) => findingLines(path, finding)),
      '',
    ]);
  const count = (verdict: ScannedSkill['verdict']): number =>
    skills.filter((skill) => skill.verdict === verdict).length;
  const totals = `${skills.length} scanned: ${count('dangerous')} dangerous, ${count('caution')} caution, ${count('safe')} safe`;
  return [...lines, totals, SCAN_NOTE].map(visibleCharacters).join('\n');
}

function findingLines(folder: string, finding: Finding): string[] {
  const { path, line, severity, rule, message, evidence, remediation, hash } = finding;
  return [
    `  ${folder}/${path}:${line}: ${severity} ${rule}: ${message}`,
    `      ${evidence}`,
    `      ${remediation} [${hash}]`,
  ];
}

/** One object a line and skill, for programs. */
export function scanJson(skills: readonly ScannedSkill[]): string {
  return skills
    .map(({ skill, path, verdict, findings, complete }) =>
      JSON.stringify({ skill, path, verdict, complete, findings }),
    )
    .join('\n');
}

export function scanSarif(
  skills: readonly ScannedSkill[],
  version: string,
  notices: readonly string[],
): string {
  return sarifLog(
    version,
    EVERY_RULE.map(({ id, message, remediation, severity }) => ({
      id,
      means: `${message}. ${SCAN_NOTE}`,
      help: remediation,
      level: LEVELS[severity],
    })),
    skills.flatMap(({ path: folder, findings }) =>
      findings.map(({ rule, severity, message, remediation, evidence, path, line, hash }) => ({
        rule,
        level: LEVELS[severity],
        text: `${message}: ${evidence}. ${remediation}`,
        path: folder === '.' ? path : `${folder}/${path}`,
        line,
        identity: hash,
      })),
    ),
    notices,
  );
}
