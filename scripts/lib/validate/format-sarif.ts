import { digestOf } from '../../../src/core/digest.ts';
import { type Diagnostic, type DiagnosticCode, DIAGNOSTICS } from '../../../src/format/diagnostic.ts';
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

/** SARIF 2.1.0, which code scanning and editors read. */
export function formatSarif({ diagnostics }: Findings, tool: SarifTool): string {
  const rules = codesOf(DIAGNOSTICS);
  const fingerprints = new Fingerprints();
  return JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Skilledge',
            version: tool.version,
            rules: rules.map((code) => ruleOf(code, tool.helpPage)),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((entry) => ({
          ruleId: entry.code,
          ruleIndex: rules.findIndex((code) => code === entry.code),
          level: LEVELS[entry.severity],
          message: { text: `${entry.message}. ${entry.hint}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: relativeUri(entry.path), uriBaseId: '%SRCROOT%' },
                region: {
                  startLine: entry.line,
                  ...(entry.column === undefined ? {} : { startColumn: entry.column }),
                },
              },
            },
          ],
          partialFingerprints: { 'skilledge/v1': fingerprints.of(entry) },
        })),
      },
    ],
  });
}

function ruleOf(code: DiagnosticCode, helpPage: string) {
  const [severity, hint] = DIAGNOSTICS[code];
  return {
    id: code,
    shortDescription: { text: CODE_NOTES[code].means },
    help: { text: hint },
    helpUri: `${helpPage}#${code}`,
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function relativeUri(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The same for the same remark on the same file wherever its line moves to; equal ones are numbered. */
class Fingerprints {
  readonly #seen = new Map<string, number>();

  of({ path, code, message }: Diagnostic): string {
    const remark = JSON.stringify([path, code, message]);
    const before = this.#seen.get(remark) ?? 0;
    this.#seen.set(remark, before + 1);
    return digestOf(`${remark}${before}`).replace(/^sha256:/, '');
  }
}
