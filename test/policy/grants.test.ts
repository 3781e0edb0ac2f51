import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayUse, resolveTools } from '../../src/policy/grants.ts';

describe('declared and granted tools', () => {
  it.each([
    ['nothing granted', ['Bash'], [], [], ['Bash']],
    ['nothing declared', [], ['Bash'], [], []],
    ['equal', ['Bash(git diff:*)'], ['Bash(git diff:*)'], ['Bash(git diff:*)'], []],
    [
      'the whole tool granted',
      ['Bash(git diff:*)', 'Bash(ls)'],
      ['Bash'],
      ['Bash(git diff:*)', 'Bash(ls)'],
      [],
    ],
    ['a narrower grant', ['Bash'], ['Bash(git diff:*)'], ['Bash'], []],
    ['a narrower prefix', ['Bash(git:*)'], ['Bash(git diff --stat)'], ['Bash(git:*)'], []],
    ['an overlap', ['Bash(git * main)'], ['Bash(git push:*)'], ['Bash(git * main)'], []],
    ['another prefix', ['Bash(git difftool:*)'], ['Bash(git diff:*)'], [], ['Bash(git difftool:*)']],
    ['another tool', ['Read(src/**)'], ['Write(src/**)'], [], ['Read(src/**)']],
    [
      'paths inside',
      ['Read(src/**)', 'Read(docs/**)'],
      ['Read(src/a/*.ts)'],
      ['Read(src/**)'],
      ['Read(docs/**)'],
    ],
    ['a folder and all below', ['Read(src)'], ['Read(src/**)'], ['Read(src)'], []],
    ['a server for its tool', ['mcp__git__log'], ['mcp__git'], ['mcp__git__log'], []],
    ['a tool for its server', ['mcp__git'], ['mcp__git__log'], ['mcp__git'], []],
    ['wildcards of tools', ['mcp__a*'], ['mcp__*b'], ['mcp__a*'], []],
    ['unreadable ones', ['Bash(', 'Bash(ls)'], ['Bash(', 'bash'], [], ['Bash(', 'Bash(ls)']],
    ['repeated ones', ['Read', 'Read'], ['Read'], ['Read'], []],
  ])('%s', (_, declared, grants, granted, missing) => {
    expect(resolveTools(declared, grants)).toEqual({ granted, missing });
  });

  it.each([
    ['Bash', 'git diff x', ['Bash(git:*)'], ['Bash(git diff:*)'], true],
    ['Bash', 'git push', ['Bash(git:*)'], ['Bash(git diff:*)'], false],
    ['Bash', 'git diff', ['Bash(ls)'], ['Bash'], false],
    ['Bash', 'git diff; ls', ['Bash(git diff:*)', 'Bash(ls)'], ['Bash'], true],
    ['Bash', 'git diff; ls', ['Bash'], ['Bash(git diff:*)'], false],
    ['Bash', 'echo $(ls)', ['Bash'], ['Bash'], true],
    ['Bash', 'echo $(ls)', ['Bash'], ['Bash(echo:*)', 'Bash(ls:*)'], false],
    ['Read', 'src/a', ['Read'], ['Read(src/**)'], true],
    ['Read', 'src/../a', ['Read'], ['Read(src/**)'], false],
    ['mcp__git__log', '{}', ['mcp__git'], ['mcp__git__log'], true],
    ['Read', 'a', [], ['*'], false],
  ])('%s %j: declared %j, granted %j: %s', (tool, input, declared, grants, allowed) => {
    expect(mayUse(tool, input, declared, grants).allowed).toBe(allowed);
  });

  it('says which side refused', () => {
    expect(mayUse('Bash', 'ls', [], ['Bash']).reason).toContain('declare');
    expect(mayUse('Bash', 'ls', ['Bash'], []).reason).toContain('grant');
    expect(mayUse('Bash', '$x', ['Bash'], ['Bash(ls)']).reason).toContain('not understood');
  });

  it('never call missing what may be used', () => {
    const pattern = fc.constantFrom(
      'Bash',
      'Bash(git:*)',
      'Bash(git diff)',
      'Bash(git diff:*)',
      'Bash(git * x)',
      'Bash(*f x)',
      'Bash(ls)',
      '*',
    );
    const patterns = fc.uniqueArray(pattern, { maxLength: 3 });
    const command = fc.constantFrom(
      'git',
      'git diff',
      'git diff x',
      'git push x',
      'ls',
      'ls; git diff',
      '$x',
    );
    let used = 0;
    fc.assert(
      fc.property(patterns, patterns, command, (declared, grants, command) => {
        if (!mayUse('Bash', command, declared, grants).allowed) return;
        used += 1;
        expect(resolveTools(declared, grants).granted).not.toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(used).toBeGreaterThan(100);
  });
});
