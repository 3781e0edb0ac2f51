import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditReport } from '../../src/audit/audit-act.ts';
import { AuditRecord } from '../../src/audit/audit-record.ts';
import { digestOf } from '../../src/core/digest.ts';
import { AUDIT_LIMITS } from '../../src/core/limits.ts';
import type { HeadMove } from '../../src/publish/ports.ts';
import { OrgSettings } from '../../src/view/settings/org-settings.ts';
import { faultsOf, firstLine } from '../audit/logs.ts';
import { ACTOR, newOrganisation } from '../support/deployment.ts';

const LIMITS = { ...AUDIT_LIMITS };
afterEach(() => {
  Object.assign(AUDIT_LIMITS, LIMITS);
});

function organisation() {
  const name = newOrganisation();
  const stub = env.ORG.getByName(`o/${name}`);
  const page = async (after = 0, limit = 1_000) => {
    const read = await stub.auditPage(`o/${name}`, after, limit);
    if (!read) throw new Error('the log does not reach that place');
    return read;
  };
  const records = async () => (await page()).lines.map((line) => AuditRecord.parse(JSON.parse(line)));
  return {
    name,
    stub,
    page,
    records,
    set: (flag: string) => stub.putSettings(name, OrgSettings.parse({ flags: [flag] }), null, ACTOR),
    tell: (...reports: AuditReport[]) => stub.recordReports(name, reports),
    acts: async () => (await records()).map(({ act }) => act),
    faults: async () => {
      const { start, head, lines } = await page();
      return faultsOf([firstLine(start, head, `o/${name}`), ...lines]);
    },
  };
}

function move(expected: string | null, to: string): HeadMove {
  return {
    layer: 'org',
    expected: expected === null ? null : digestOf(expected),
    head: { catalog: digestOf(to), index: digestOf('index'), entries: 1, shards: [] },
    added: [],
    changes: { added: ['a'], changed: [], removed: ['b'] },
    by: ACTOR,
  };
}

function denial(skill: string, more: Partial<AuditReport> = {}): AuditReport {
  const details = {
    revision: digestOf(skill),
    code: 'skill_denied',
    reason: 'deny_rule',
    rule: `Skill(${skill})`,
    ruleLayer: 'organisation',
    unrecorded: 0,
  };
  const act = { act: 'skill_denied' as const, subject: `org/${skill}`, details };
  return { key: skill, at: Date.now(), times: 1, actor: ACTOR, act, ...more };
}

const STARTED: AuditReport = {
  key: 'run_1/run_ended',
  at: Date.now(),
  times: 1,
  actor: ACTOR,
  act: {
    act: 'run_ended',
    subject: 'run_1',
    details: { skill: 'x', layer: 'org', status: 'failed', stopReason: 'step_failed' },
  },
};

describe('the log of an organisation', () => {
  it('has one record of each act, and none of what was refused', async () => {
    const { stub, name, set, records, faults } = organisation();
    await stub.moveHead(name, move(null, 'one'));
    await stub.moveHead(name, move(null, 'two'));
    await set('x');
    await stub.putSettings(name, OrgSettings.parse({}), 7, ACTOR);
    const decide = (id: string, approve: boolean, duration: 'once' | 'session') =>
      stub.decideApproval(name, { id, approve, duration, by: ACTOR, boundTo: null });
    await decide('apr_none', true, 'once');
    const subject = { skill: 'a', layer: 'org', revision: 'r', reason: 'WHY' };
    const permissions = { tools: [], hooks: [], shell: [], network: [], requirements: [] };
    await stub.askApproval(name, { id: 'apr_1', subject, session: null, permissions });
    await decide('apr_1', true, 'session');
    await decide('apr_1', false, 'once');
    const rules = [{ effect: 'deny' as const, pattern: 'Bash(WHY)' }];
    await stub.putPolicy(name, { layer: 'project:web', rules, by: ACTOR, expected: 7 });
    await stub.putPolicy(name, { layer: 'project:web', rules, by: ACTOR, expected: 0 });
    expect(await records()).toMatchObject([
      {
        sequence: 1,
        act: 'head_moved',
        subject: 'org',
        actor: ACTOR,
        details: {
          before: null,
          after: digestOf('one'),
          added: { count: 1, names: ['a'] },
          changed: { count: 0 },
          removed: { count: 1, names: ['b'] },
        },
      },
      {
        sequence: 2,
        act: 'settings_changed',
        details: {
          revision: 1,
          changed: [{ key: 'flags', before: digestOf('[]'), after: digestOf('["x"]') }],
        },
      },
      {
        sequence: 3,
        act: 'approval_decided',
        subject: 'apr_1',
        details: { decision: 'denied', duration: 'once', skill: 'a', layer: 'org', revision: 'r' },
      },
      {
        sequence: 4,
        act: 'policy_changed',
        subject: 'project:web',
        details: { revision: 1, rules: 1, before: digestOf('[]') },
      },
    ]);
    expect(JSON.stringify(await records())).not.toContain('WHY');
    expect(await faults()).toEqual([]);
  });

  it('is one chain, however many act at once and whenever the object is evicted', async () => {
    const { stub, name, set, acts, faults, tell } = organisation();
    await stub.moveHead(name, move(null, 'one'));
    await Promise.all(Array.from({ length: 10 }, (_, index) => set(`flag-${index}`)));
    await evictDurableObject(stub);
    await Promise.all([set('x'), tell(denial('a')), stub.moveHead(name, move('one', 'two')), tell(STARTED)]);
    await evictDurableObject(stub);
    await set('y');
    expect(await acts()).toHaveLength(16);
    expect(await faults()).toEqual([]);
  });

  it('has no record where the act itself cannot be stored', async () => {
    const { stub, name, set, acts } = organisation();
    await set('x');
    await runInDurableObject(stub, (_object, state) => {
      state.storage.sql.exec(
        `CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'full'); END`,
      );
    });
    await expect(
      runInDurableObject(stub, (object) => object.moveHead(name, move(null, 'one'))),
    ).rejects.toThrow('full');
    expect(await acts()).toEqual(['settings_changed']);
    expect(await stub.view('org')).toMatchObject({ head: null });
  });

  it('and the act is not stored where the record cannot be', async () => {
    const { stub, name, set } = organisation();
    await set('x');
    await runInDurableObject(stub, (_object, state) => {
      state.storage.sql.exec(
        `CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END`,
      );
    });
    await expect(
      runInDurableObject(stub, (object) => object.moveHead(name, move(null, 'one'))),
    ).rejects.toThrow('full');
    expect(await stub.view('org')).toMatchObject({ head: null, settings: { flags: ['x'] } });
  });

  it('is read page by page, and not behind its end', async () => {
    const { set, page, stub, name } = organisation();
    for (const flag of ['a', 'b', 'c']) await set(flag);
    const first = await page(0, 2);
    expect([first.lines.length, first.end, first.head.sequence]).toEqual([2, 2, 3]);
    const second = await page(first.end, 2);
    expect([second.lines.length, second.end]).toEqual([1, 3]);
    expect(second.start.digest).toBe(AuditRecord.parse(JSON.parse(first.lines[1] ?? '')).digest);
    Object.assign(AUDIT_LIMITS, { pageCharacters: (first.lines[0]?.length ?? 0) + 1 });
    expect(await page(0)).toMatchObject({ lines: { length: 1 }, end: 1, head: { sequence: 3 } });
    expect(await page(3)).toMatchObject({ lines: [], start: second.head, end: 3 });
    expect(await stub.auditPage(`o/${name}`, 4, 2)).toBeNull();
  });
});

describe('old records', () => {
  it('are dropped when there are too many, and the rest is chained to what was dropped', async () => {
    Object.assign(AUDIT_LIMITS, { records: 5, spareRecords: 3 });
    const { set, page, acts, faults } = organisation();
    for (let change = 0; change < 30; change += 1) {
      await set(`flag-${change}`);
      expect((await page()).lines.length).toBeLessThanOrEqual(5 + 3 + 1);
      expect(await faults()).toEqual([]);
    }
    expect((await page()).start.sequence).toBeGreaterThan(10);
    expect(await acts()).toContain('log_trimmed');
  });

  it('are dropped when they are too old, a bounded number at once', async () => {
    const { set, stub, page, records, faults } = organisation();
    for (const flag of ['a', 'b', 'c', 'd']) await set(flag);
    Object.assign(AUDIT_LIMITS, { droppedAtOnce: 2 });
    await runInDurableObject(stub, (_object, state) => {
      state.storage.sql.exec('UPDATE audit SET at = 0 WHERE sequence <= 3');
    });
    await set('e');
    expect((await records()).map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6]);
    expect((await records()).at(-1)).toMatchObject({
      act: 'log_trimmed',
      actor: { label: 'deployment' },
      details: { through: 2, dropped: 2, digest: (await page()).start.digest },
    });
    await set('f');
    expect((await page()).start.sequence).toBe(3);
    expect(await faults()).toEqual([]);
  });
});

describe('what is told from outside', () => {
  it('is recorded once, however often it is told', async () => {
    const { tell, acts, stub } = organisation();
    await tell(STARTED, STARTED);
    await evictDurableObject(stub);
    await tell(STARTED, { ...STARTED, key: 'run_2/run_ended' });
    expect(await acts()).toEqual(['run_ended', 'run_ended']);
  });

  it('has a record for each denial that is new, and a number for those that are alike', async () => {
    const { tell, records, stub } = organisation();
    await tell(denial('a', { times: 5 }));
    await tell(denial('a'), denial('b'));
    await tell(denial('c', { actor: { ...ACTOR, label: 'other' } }));
    expect((await records()).map(({ subject, details }) => [subject, details['unrecorded']])).toEqual([
      ['org/a', 0],
      ['org/b', 5],
      ['org/c', 0],
    ]);
    // A minute later.
    await runInDurableObject(stub, (_object, state) => {
      state.storage.sql.exec('UPDATE audit_denials SET at = at - ?', AUDIT_LIMITS.repeatMilliseconds);
    });
    await tell(denial('a', { times: 2 }));
    expect(await records()).toHaveLength(4);
  });

  it('leaves room for everything else when somebody is denied without end', async () => {
    Object.assign(AUDIT_LIMITS, { denialsPerHour: 3 });
    const { tell, records, stub, set } = organisation();
    for (let at = 0; at < 20; at += 1) await tell(denial(`skill-${at}`));
    await set('x');
    expect((await records()).map(({ act }) => act)).toEqual([
      'skill_denied',
      'skill_denied',
      'skill_denied',
      'settings_changed',
    ]);
    await runInDurableObject(stub, (_object, state) => {
      state.storage.sql.exec('UPDATE audit_denials SET at = at - ?', 60 * 60 * 1000);
    });
    await tell(denial('later'));
    expect((await records()).at(-1)).toMatchObject({ subject: 'org/later', details: { unrecorded: 17 } });
  });

  it('is refused whole where it is no report', async () => {
    const { stub, name, page } = organisation();
    const wrong = { ...STARTED, key: 'x'.repeat(1_000) };
    await expect(
      runInDurableObject(stub, (object) => object.recordReports(name, [STARTED, wrong])),
    ).rejects.toThrow('too_big');
    expect((await page()).lines).toEqual([]);
  });
});
