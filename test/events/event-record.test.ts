import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENT_FIELDS, type FieldClass } from '../../src/events/event-fields.ts';
import { eventLog } from '../../src/events/event-log.ts';
import { recordEvent } from '../../src/events/event-record.ts';
import type { EventOrigin, SkillEvent } from '../../src/invoke/event.ts';
import { OrgSettings } from '../../src/view/settings/org-settings.ts';

type Samples = { readonly [Kind in SkillEvent['kind']]: Extract<SkillEvent, { readonly kind: Kind }> };

/** One of each kind, with one text wherever a tenant's text can stand: a new kind does not compile without a sample. */
function samples(text: string): Samples {
  return {
    skill_activated: {
      kind: 'skill_activated',
      skill: text,
      layer: 'user:MARK',
      revision: text,
      trigger: 'nested',
      context: 'inline',
      outcome: 'activated',
      code: null,
      agent: text,
      run: text,
      tokens: 12,
      milliseconds: 3,
      session: true,
      slash: false,
    },
    listing_fitted: {
      kind: 'listing_fitted',
      profile: 'skilledge',
      unit: 'characters',
      mode: 'shortened',
      agent: text,
      budget: 100,
      used: 99,
      contextWindow: null,
      full: 1,
      shortened: 2,
      nameOnly: 0,
      omitted: 0,
      session: false,
    },
    skills_changed: { kind: 'skills_changed', agent: text, added: 1, changed: 0, gone: 2, refreshed: true },
    skills_searched: { kind: 'skills_searched', agent: text, terms: 3, results: 10, milliseconds: 7 },
    skill_held: {
      kind: 'skill_held',
      skill: text,
      layer: 'user:MARK',
      revision: text,
      origin: 'community',
      verdict: 'caution',
      decision: 'block',
      actor: 'service',
      complete: true,
    },
    run_ended: {
      kind: 'run_ended',
      skill: text,
      layer: 'user:MARK',
      revision: text,
      run: text,
      agent: text,
      engine: 'runbook',
      stopReason: 'completed',
      turns: 2,
      toolCalls: 1,
      tokens: 0,
      cost: null,
      milliseconds: 9,
      nested: false,
    },
  };
}

const KINDS = Object.values(samples('x')).map(({ kind }) => kind);
const origin = (names: 'shown' | 'masked'): EventOrigin => ({
  organisation: 'acme',
  settings: OrgSettings.parse({ events: { names } }),
});

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What both sinks make of an event. */
function outputs(
  names: 'shown' | 'masked',
  event: SkillEvent,
): { line: string; point: AnalyticsEngineDataPoint } {
  const points: AnalyticsEngineDataPoint[] = [];
  lines = [];
  const dataset = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
  eventLog({ ...env, EVENTS: dataset }).emit(origin(names), event);
  expect(lines).toEqual([]);
  eventLog(env).emit(origin(names), event);
  expect([lines.length, points.length]).toEqual([1, 1]);
  return { line: lines[0] ?? '', point: points[0] ?? {} };
}

const anyText = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.nat(2_000))
  .map(([text, at]) => `${text.slice(0, at)}MARK${text.slice(at)}`);

describe('a masked event', () => {
  it.each(KINDS)('has no name in it: %s', (kind) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { line, point } = outputs('masked', samples(text)[kind]);
        expect(line).not.toContain('MARK');
        expect(JSON.stringify(point)).not.toContain('MARK');
      }),
    );
  });

  it.each(KINDS)('is the same whatever the names are: %s', (kind) => {
    expect(outputs('masked', samples('a')[kind])).toEqual(outputs('masked', samples('b')[kind]));
  });

  it('still says what kind of layer it was, and everything that is no name', () => {
    expect(JSON.parse(outputs('masked', samples('MARK').skill_activated).line)).toEqual({
      event: 'skill_activated',
      organisation: 'acme',
      skill: 'masked',
      layer: 'user',
      revision: 'masked',
      trigger: 'nested',
      context: 'inline',
      outcome: 'activated',
      code: null,
      agent: 'masked',
      run: 'masked',
      tokens: 12,
      milliseconds: 3,
      session: true,
      slash: false,
    });
  });
});

describe('an event', () => {
  it.each(KINDS)('tells all of its fields: %s', (kind) => {
    const { kind: event, ...fields } = samples('x')[kind];
    const { line } = outputs('shown', samples('x')[kind]);
    expect(JSON.parse(line)).toEqual({ event, organisation: 'acme', ...fields });
  });

  it('tells nothing that the table of fields does not have', () => {
    const event = { ...samples('x').skills_changed, query: 'MARK' };
    expect(JSON.stringify(recordEvent(origin('shown'), event))).not.toContain('MARK');
  });

  it.each(KINDS)('is one line that no terminal acts on, whatever the names are: %s', (kind) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { line, point } = outputs('shown', samples(text)[kind]);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(line.isWellFormed()).toBe(true);
        expect(JSON.parse(line)).toMatchObject({ event: kind });
        expect(point.blobs?.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it.each(['\n{"event":"forged"}', '\u001b[2J', '\u009b31m', '\u2028', '\u202e', '\ud800'])(
    'cannot be forged by a name with %j',
    (text) => {
      const { line } = outputs('shown', samples(`a${text}b`).skill_activated);
      expect(line.split(/[\n\r\u2028\u2029]/)).toHaveLength(1);
      expect(Object.keys(JSON.parse(line))).toHaveLength(15);
    },
  );

  it.each(KINDS)('is within the limits of Analytics Engine at its longest: %s', (kind) => {
    for (const unit of ['x', '\u202e', '\u6f22', '\ud83d\ude00']) {
      const { point, line } = outputs('shown', samples(unit.repeat(5_000))[kind]);
      const { blobs = [], doubles = [], indexes = [] } = point;
      expect([blobs.length <= 20, doubles.length <= 20, indexes]).toEqual([true, true, ['acme']]);
      expect(new TextEncoder().encode(blobs.join('')).length).toBeLessThanOrEqual(16_000);
      expect(line.length).toBeLessThan(16_000);
    }
  });
});

describe('the table of fields', () => {
  it('does not compile without a kind, or with open text that would not be masked', () => {
    const { skills_searched: searched, ...others } = EVENT_FIELDS;
    // @ts-expect-error -- a kind is missing
    const missing: typeof EVENT_FIELDS = others;
    // @ts-expect-error -- the label of an agent is no word of ours
    const open: typeof EVENT_FIELDS = { ...others, skills_searched: { ...searched, agent: 'word' } };
    // @ts-expect-error -- nor is a digest, which is found in a list of digests
    const digest: FieldClass<`sha256:${string}` | 'none' | null> = 'word';
    expect(digest).toBe('word');
    expect([Object.keys(missing).length, open.skills_searched.agent]).toEqual([KINDS.length - 1, 'word']);
  });
});

describe('in Analytics Engine', () => {
  it('has columns in the order of the table, and no holes', () => {
    expect(outputs('shown', samples('x').skill_activated).point).toEqual({
      indexes: ['acme'],
      blobs: [
        'skill_activated',
        'acme',
        'x',
        'user:MARK',
        'x',
        'nested',
        'inline',
        'activated',
        '',
        'x',
        'x',
      ],
      doubles: [12, 3, 1, 0],
    });
    expect(outputs('shown', samples('x').listing_fitted).point.doubles).toEqual([100, 99, 0, 1, 2, 0, 0, 0]);
  });

  it('has texts before numbers in every kind, as the lines do', () => {
    for (const fields of Object.values(EVENT_FIELDS)) {
      const isText = Object.values(fields).map((holds) => holds !== 'number' && holds !== 'flag');
      expect(isText.toSorted((left, right) => Number(right) - Number(left))).toEqual(isText);
    }
  });
});

describe('a sink that fails', () => {
  it('is a line in the log, without names, and nothing else', () => {
    const dataset = {
      writeDataPoint: () => {
        throw new RangeError('no MARK');
      },
    };
    eventLog({ ...env, EVENTS: dataset }).emit(origin('masked'), samples('MARK').skill_activated);
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { event: 'event_lost', kind: 'skill_activated', reason: 'RangeError' },
    ]);
  });
});
