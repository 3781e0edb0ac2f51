import * as fc from 'fast-check';
import { type AuditAct, auditNames } from '../../src/audit/audit-act.ts';
import { type ChainLink, chainRecord, genesis } from '../../src/audit/audit-record.ts';
import { LogVerifier } from '../../src/audit/verify-log.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { digestOf } from '../../src/core/digest.ts';

export const SPACE = 'o/acme';
export const ACTOR = { organisation: 'acme', label: 'ci', kind: 'service' } as const;

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const digest = name.map(digestOf);
const names = fc.array(name, { maxLength: 3 }).map(auditNames);

/** Any act, with any names in it. */
export const anyAct: fc.Arbitrary<AuditAct> = fc.oneof(
  fc.record({
    act: fc.constant('head_moved' as const),
    subject: name,
    details: fc.record({
      sequence: fc.nat(),
      before: fc.option(digest),
      after: digest,
      skills: fc.nat(),
      added: names,
      changed: names,
      removed: names,
    }),
  }),
  fc.record({
    act: fc.constant('approval_decided' as const),
    subject: name,
    details: fc.record({
      decision: fc.constantFrom('approved' as const, 'denied' as const),
      duration: fc.constant('once'),
      skill: name,
      layer: name,
      revision: digest,
    }),
  }),
  fc.record({
    act: fc.constant('run_ended' as const),
    subject: name,
    details: fc.record({
      skill: name,
      layer: name,
      status: fc.constant('failed'),
      stopReason: fc.constant('step_failed'),
    }),
  }),
);

/** The lines of acts behind a place, and the place behind each. */
export function chain(start: ChainLink, acts: readonly AuditAct[]): { lines: string[]; links: ChainLink[] } {
  const links: ChainLink[] = [];
  const lines = acts.map((act, index) => {
    const { line, link } = chainRecord(links.at(-1) ?? start, ACTOR, act, 1_000 * index);
    links.push(link);
    return line;
  });
  return { lines, links };
}

/** An export of a whole log. */
export function exportOf(acts: readonly AuditAct[]): { lines: string[]; links: ChainLink[] } {
  const start = genesis(SPACE);
  const { lines, links } = chain(start, acts);
  return { lines: [firstLine(start, links.at(-1) ?? start), ...lines], links };
}

export function firstLine(start: ChainLink, head: ChainLink, space: string = SPACE): string {
  return canonicalJson({ space, start, head });
}

/** What is wrong with an export, as `line: message`. */
export function faultsOf(lines: readonly (string | null)[], known: ChainLink | null = null): string[] {
  const verifier = new LogVerifier(known);
  const faults = [...lines.flatMap((line) => verifier.read(line)), ...verifier.end()];
  return faults.map(({ line, message }) => `${line}: ${message}`);
}
