import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { digestOf } from '../../src/core/digest.ts';

/** A rule as SARIF lists it, and a result that names it. */
export interface SarifRule {
  readonly id: string;
  readonly means: string;
  readonly help: string;
  readonly helpUri?: string;
  readonly level: SarifLevel;
}
export interface SarifResult {
  readonly rule: string;
  readonly level: SarifLevel;
  readonly text: string;
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
  /** What stays the same wherever the line moves to; equal ones are numbered. */
  readonly identity: string;
}
export type SarifLevel = 'error' | 'warning' | 'note';

/** SARIF 2.1.0, which code scanning and editors read. `notices` say what is not among the results. */
export function sarifLog(
  version: string,
  rules: readonly SarifRule[],
  results: readonly SarifResult[],
  notices: readonly string[] = [],
): string {
  const fingerprints = new Fingerprints();
  return JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Skilledge', version, rules: rules.map(listed) } },
        columnKind: 'utf16CodeUnits',
        ...(notices.length > 0 && { invocations: [invocation(notices)] }),
        results: results.map((result) => ({
          ruleId: result.rule,
          ruleIndex: rules.findIndex(({ id }) => id === result.rule),
          level: result.level,
          message: { text: result.text },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: relativeUri(result.path), uriBaseId: '%SRCROOT%' },
                region: {
                  startLine: result.line,
                  ...(result.column === undefined ? {} : { startColumn: result.column }),
                },
              },
            },
          ],
          partialFingerprints: { 'skilledge/v1': fingerprints.of(result.identity) },
        })),
      },
    ],
  });
}

/** The version of this checkout, which a log names. */
export function projectVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function invocation(notices: readonly string[]) {
  const toolExecutionNotifications = notices.map((text) => ({ level: 'warning', message: { text } }));
  return { executionSuccessful: true, toolExecutionNotifications };
}

function listed({ id, means, help, helpUri, level }: SarifRule) {
  return {
    id,
    shortDescription: { text: means },
    help: { text: help },
    ...(helpUri === undefined ? {} : { helpUri }),
    defaultConfiguration: { level },
  };
}

function relativeUri(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

class Fingerprints {
  readonly #seen = new Map<string, number>();

  of(identity: string): string {
    const before = this.#seen.get(identity) ?? 0;
    this.#seen.set(identity, before + 1);
    return digestOf(`${identity}${before}`).replace(/^sha256:/, '');
  }
}
