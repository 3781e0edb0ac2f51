import { type Diagnostic, type DiagnosticCode, DIAGNOSTICS } from '../../../src/format/diagnostic.ts';
import { sarifLog, type SarifRule } from '../sarif.ts';
import type { Findings } from './check-target.ts';
import { CODE_NOTES } from './code-notes.ts';
import { codesOf } from './codes.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<
  Diagnostic['severity'],
  string
>;

export interface SarifTool {
  readonly version: string;
  /** Where the page of all codes is; each code is an anchor of it. */
  readonly helpPage: string;
}

/** What validating found, for code scanning. */
export function formatSarif({ diagnostics }: Findings, tool: SarifTool): string {
  return sarifLog(
    tool.version,
    codesOf(DIAGNOSTICS).map((code) => ruleOf(code, tool.helpPage)),
    diagnostics.map(({ path, line, column, code, severity, message, hint }) => ({
      rule: code,
      level: LEVELS[severity],
      text: `${message}. ${hint}`,
      path,
      line,
      column,
      identity: JSON.stringify([path, code, message]),
    })),
  );
}

function ruleOf(code: DiagnosticCode, helpPage: string): SarifRule {
  const [severity, hint] = DIAGNOSTICS[code];
  return {
    id: code,
    means: CODE_NOTES[code].means,
    help: hint,
    helpUri: `${helpPage}#${code}`,
    level: LEVELS[severity],
  };
}
