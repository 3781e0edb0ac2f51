import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatSarif } from '../../scripts/lib/validate/format-sarif.ts';
import { DIAGNOSTICS, diagnostic } from '../../src/format/diagnostic.ts';
import { SAMPLE, validate, validateJson } from './validate-command.ts';

const HELP = 'https://example.com/diagnostics.md';

/** The parts that are looked at here; whether all of it is SARIF, the schema says. */
const Log = z.object({
  runs: z.tuple([
    z.object({
      tool: z.object({
        driver: z.object({
          rules: z.array(
            z.object({
              id: z.string(),
              shortDescription: z.object({ text: z.string().min(1) }),
              help: z.object({ text: z.string().min(1) }),
              helpUri: z.string(),
              defaultConfiguration: z.object({ level: z.string() }),
            }),
          ),
        }),
      }),
      results: z.array(
        z.object({
          ruleId: z.string(),
          ruleIndex: z.int().nonnegative(),
          level: z.enum(['error', 'warning', 'note']),
          locations: z.tuple([
            z.object({
              physicalLocation: z.object({
                artifactLocation: z.object({ uri: z.string() }),
                region: z.object({ startLine: z.int(), startColumn: z.int().optional() }),
              }),
            }),
          ]),
          partialFingerprints: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ]),
});

/**
 * The schema of SARIF 2.1.0 as Microsoft's package for testing SARIF ships it, in JSON Schema draft 4. One of its patterns
 * has a lone bracket, which is a regular expression only without the u flag.
 */
function schemaErrors(log: unknown): unknown {
  const ajv = new AjvDraft04({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv);
  const check = ajv.compile(schema);
  return check(log) ? null : check.errors;
}

describe('npm run validate -- --format sarif', () => {
  const output = validate(SAMPLE, '--format', 'sarif', '--help-page', HELP);
  const log: unknown = JSON.parse(output.stdout);
  const [run] = Log.parse(log).runs;

  it('is SARIF 2.1.0 by its schema', () => {
    expect(schemaErrors(log)).toBeNull();
    expect(output.status).toBe(1);
    expect(schemaErrors(JSON.parse(validate('skills', '--format', 'sarif').stdout))).toBeNull();
  });

  it('is looked at by a schema that refuses', () => {
    expect(schemaErrors({ version: '2.1.0' })).not.toBeNull();
    expect(
      schemaErrors({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', rules: [{}] } } }] }),
    ).not.toBeNull();
  });

  it('has a rule for every code, with its anchor on the page', () => {
    expect(run.tool.driver.rules.map(({ id }) => id)).toEqual(Object.keys(DIAGNOSTICS));
    for (const { id, helpUri } of run.tool.driver.rules) expect(helpUri).toBe(`${HELP}#${id}`);
  });

  it('has the remarks that json has, at the same places', () => {
    const { diagnostics } = validateJson(SAMPLE);
    expect(
      run.results.map(({ ruleId, ruleIndex, locations: [{ physicalLocation }] }) => {
        const { artifactLocation, region } = physicalLocation;
        const rule = run.tool.driver.rules[ruleIndex]?.id;
        return [ruleId, rule, artifactLocation.uri, region.startLine, region.startColumn];
      }),
    ).toEqual(diagnostics.map(({ code, path, line, column }) => [code, code, path, line, column]));
  });

  it('has a fingerprint of its own for each, which lines do not change', () => {
    const prints = run.results.map(({ partialFingerprints }) => partialFingerprints['skilledge/v1']);
    expect(new Set(prints).size).toBe(prints.length);
    const printsAt = (line: number) => {
      const remark = diagnostic('key-unknown', 'a/SKILL.md', line, 'nothing acts on "x"');
      const findings = { skills: [], notLoaded: [], diagnostics: [remark, remark] };
      const [{ results }] = Log.parse(
        JSON.parse(formatSarif(findings, { version: '1.0.0', helpPage: HELP })),
      ).runs;
      return results.map(({ partialFingerprints }) => partialFingerprints['skilledge/v1']);
    };
    expect(printsAt(3)).toEqual(printsAt(30));
    expect(new Set(printsAt(3)).size).toBe(2);
  });

  it('writes paths as relative URIs', () => {
    const diagnostics = [diagnostic('key-unknown', '../a:b/ü #1%.md', 3, 'nothing', 2)];
    const text = formatSarif(
      { skills: [], notLoaded: [], diagnostics },
      { version: '1.0.0', helpPage: HELP },
    );
    const [{ results }] = Log.parse(JSON.parse(text)).runs;
    expect(results[0]?.locations[0].physicalLocation.artifactLocation.uri).toBe(
      '../a%3Ab/%C3%BC%20%231%25.md',
    );
    expect(schemaErrors(JSON.parse(text))).toBeNull();
  });
});
