import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditAct, auditName, auditNames } from '../../src/audit/audit-act.ts';
import { type AuditRecord, genesis } from '../../src/audit/audit-record.ts';
import { digestOf } from '../../src/core/digest.ts';
import { AUDIT_LIMITS } from '../../src/core/limits.ts';
import { anyAct, chain, exportOf, faultsOf, firstLine, SPACE } from './logs.ts';

const RUN = {
  act: 'run_ended',
  subject: 'run_1',
  details: { skill: 'x', layer: 'org', status: 'failed', stopReason: 'step_failed' },
} as const;
const someActs = fc.array(anyAct, { minLength: 1, maxLength: 8 });
/** Enough for a second or two each. */
const RUNS = { numRuns: 300 };

describe('a log', () => {
  it('that nobody touched fits, at whatever head is known', () => {
    fc.assert(
      fc.property(someActs, fc.nat(), (acts, at) => {
        const { lines, links } = exportOf(acts);
        expect(faultsOf(lines)).toEqual([]);
        expect(faultsOf(lines, links[at % links.length])).toEqual([]);
        expect(faultsOf(lines, genesis(SPACE))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('shows every change of one character', () => {
    fc.assert(
      fc.property(
        someActs,
        fc.nat(),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        (acts, a, b, to) => {
          const { lines } = exportOf(acts);
          const line = a % lines.length;
          const text = lines[line] ?? '';
          const at = b % text.length;
          fc.pre(text[at] !== to);
          for (const edited of [text.slice(0, at) + to, text.slice(0, at) + to + text[at], text.slice(0, at)])
            expect(faultsOf(lines.with(line, edited + text.slice(at + 1)))).not.toEqual([]);
        },
      ),
      RUNS,
    );
  });

  it('shows every line that was taken out, put in again or moved', () => {
    fc.assert(
      fc.property(someActs, fc.nat(), fc.nat(), (acts, a, b) => {
        const { lines } = exportOf(acts);
        const [one, other] = [a % lines.length, b % lines.length];
        const line = lines[one] ?? '';
        expect(faultsOf(lines.toSpliced(one, 1))).not.toEqual([]);
        expect(faultsOf(lines.toSpliced(other, 0, line))).not.toEqual([]);
        if (one !== other)
          expect(faultsOf(lines.with(one, lines[other] ?? '').with(other, line))).not.toEqual([]);
      }),
      RUNS,
    );
  });

  it('that was made anew from some record on shows it where a head behind that is known', () => {
    fc.assert(
      fc.property(someActs, anyAct, fc.nat(), (acts, forged, at) => {
        const { links } = exportOf(acts);
        const changed = at % acts.length;
        fc.pre(JSON.stringify(acts[changed]) !== JSON.stringify(forged));
        const { lines } = exportOf(acts.with(changed, forged));
        expect(faultsOf(lines)).toEqual([]);
        for (const known of links.slice(changed)) expect(faultsOf(lines, known)).not.toEqual([]);
      }),
      RUNS,
    );
  });

  it('that was cut at its end and given another first line shows it where its head is known', () => {
    fc.assert(
      fc.property(someActs, (acts) => {
        const { links } = exportOf(acts);
        const { lines } = exportOf(acts.slice(0, -1));
        expect(faultsOf(lines, links.at(-1))).not.toEqual([]);
      }),
      RUNS,
    );
  });

  it('can be read on from a head that is known, and from no other place', () => {
    fc.assert(
      fc.property(someActs, fc.nat(), (acts, at) => {
        const { lines, links } = exportOf(acts);
        const [begin, head] = [links[at % links.length], links.at(-1)];
        if (!begin || !head) throw new Error('there is an act');
        const rest = [firstLine(begin, head), ...lines.slice(1 + begin.sequence)];
        expect(faultsOf(rest, begin)).toEqual([]);
        expect(faultsOf(rest)).toEqual([`0: nothing shows that it begins behind record ${begin.sequence}`]);
      }),
      RUNS,
    );
  });

  it('of one organisation is none of another', () => {
    const start = genesis('o/other');
    const { lines, links } = chain(start, [RUN]);
    expect(faultsOf([firstLine(start, links[0] ?? start), ...lines])).toEqual([
      '1: the log of o/acme does not begin like this',
      expect.stringMatching(/^0: nothing shows/),
    ]);
  });

  it('says which line is wrong, once', () => {
    const { lines } = exportOf([RUN, RUN, RUN]);
    const edited = lines.with(2, (lines[2] ?? '').replace('"failed"', '"succeeded"'));
    expect(faultsOf(edited)).toEqual(['3: the record is not what its digest says']);
    expect(faultsOf(lines.toSpliced(2, 1))).toEqual(['3: record 3 stands behind record 1']);
    expect(faultsOf(lines.with(2, 'x'))).toContain('3: this is no record, or not as it was written');
    expect(faultsOf([null])).toContain('1: this is not the first line of an export');
    expect(faultsOf([])).toEqual(['0: there is no log']);
  });
});

describe('a log of which the oldest records were dropped', () => {
  const { lines, links } = exportOf([RUN, RUN]);
  const [second] = links.slice(1);
  if (!second) throw new Error('two records');
  const trimmed = (digest = second.digest, space: string = SPACE): AuditAct => {
    const details = { space, through: 2, digest, dropped: 2 };
    return { act: 'log_trimmed', subject: 'audit', details };
  };
  const rest = (acts: readonly AuditAct[]) => {
    const { lines: kept, links: places } = chain(second, acts);
    return [firstLine(second, places.at(-1) ?? second), ...kept];
  };

  it('fits behind what its own record says was dropped', () => {
    expect(faultsOf(rest([RUN, trimmed(), RUN]))).toEqual([]);
    expect(faultsOf(rest([RUN, trimmed()]), second)).toEqual([]);
  });

  it.each([
    ['there is no such record', [RUN]],
    ['it names another record', [RUN, trimmed(digestOf('other'))]],
    ['it is about another log', [RUN, trimmed(second.digest, 'o/other')]],
  ])('does not where %s', (_name, acts) => {
    expect(faultsOf(rest(acts))).toEqual(['0: nothing shows that it begins behind record 2']);
  });

  it('cannot be held against a head that was dropped with them', () => {
    expect(lines).toHaveLength(3);
    expect(faultsOf(rest([RUN, trimmed()]), links[0])).toEqual([
      expect.stringMatching(/^0: 1:sha256:\w+, which is known, is not in it$/),
    ]);
  });
});

describe('a record', () => {
  it('takes any name, cut and well formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const act = AuditAct.parse({ ...RUN, subject: auditName(text) });
        expect(faultsOf(exportOf([act]).lines)).toEqual([]);
        expect(auditName(text).isWellFormed()).toBe(true);
      }),
      RUNS,
    );
  });

  it('fits into a line, however many names are in it and whatever they are made of', () => {
    const many = auditNames(Array.from({ length: 1_000 }, () => '\u0001'.repeat(1_000)));
    expect(many).toMatchObject({ count: 1_000, names: { length: AUDIT_LIMITS.names } });
    const { lines } = exportOf([
      {
        act: 'head_moved',
        subject: 'org',
        details: {
          sequence: 1,
          before: null,
          after: digestOf('x'),
          skills: 1_000,
          added: many,
          changed: many,
          removed: many,
        },
      },
    ]);
    expect(faultsOf(lines)).toEqual([]);
  });

  it('has no word that nobody planned for', () => {
    const told: AuditRecord['details'] = { ...RUN.details, prompt: 'text of a skill' };
    expect(AuditAct.safeParse({ ...RUN, details: told }).success).toBe(false);
    expect(AuditAct.safeParse({ ...RUN, act: 'made_up' }).success).toBe(false);
    const sentence = { ...RUN.details, stopReason: 'a sentence with text' };
    expect(AuditAct.safeParse({ ...RUN, details: sentence }).success).toBe(false);
  });
});
