import { describe, expect, it } from 'vitest';
import { isPattern, matchesValue } from '../../src/hook/hook-matcher.ts';
import { loadPatterns } from '../../src/policy/linear-pattern.ts';

/** Matcher, whether it needs an engine, and values with whether they match. */
const TABLE: readonly (readonly [string | null, boolean, Readonly<Record<string, boolean>>])[] = [
  [null, false, { Bash: true, '': true, mcp__a__b: true }],
  ['', false, { Bash: true, '': true }],
  ['*', false, { Bash: true, '': true }],
  ['Bash', false, { Bash: true, bash: false, BashOutput: false, '': false }],
  ['code-review', false, { 'code-review': true, code: false, 'code-review-2': false }],
  ['mcp__desk__list', false, { mcp__desk__list: true, mcp__desk__list_all: false }],
  ['Edit|Write', false, { Edit: true, Write: true, MultiEdit: false, 'Edit|Write': false }],
  [
    'Edit, Write ,Read',
    false,
    { Edit: true, Write: true, Read: true, ' Write ': false, NotebookEdit: false },
  ],
  ['startup|resume', false, { startup: true, resume: true, clear: false }],
  ['Edit||', false, { Edit: true, '': false }],
  ['|', false, { '': false, '|': false, Edit: false }],
  ['Edit.*', true, { Edit: true, MultiEdit: true, EditFile: true, Read: false }],
  ['^Edit', true, { Edit: true, EditFile: true, MultiEdit: false }],
  ['mcp__.*', true, { mcp__a__b: true, mcp: false }],
  ['^(Edit|Write)$', true, { Edit: true, Write: true, MultiEdit: false }],
  ['.*', true, { Bash: true, '': true }],
  ['Größe', true, { Größe: true, Grosse: false }],
  ['package.json', true, { 'package.json': true, packagexjson: true, 'package.lock': false }],
];

describe('a matcher', () => {
  it.each(TABLE)('%j', async (matcher, needsEngine, values) => {
    const readPattern = await loadPatterns();
    expect(isPattern(matcher)).toBe(needsEngine);
    for (const [value, matches] of Object.entries(values))
      expect([value, matchesValue(matcher, value, readPattern)]).toEqual([
        value,
        { ok: true, value: matches },
      ]);
  });

  it('that is no regular expression says so', async () => {
    expect(matchesValue('Edit(', 'Edit', await loadPatterns())).toMatchObject({ ok: false });
  });
});
