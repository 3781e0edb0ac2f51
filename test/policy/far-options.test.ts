import { describe, expect, it } from 'vitest';
import { compileRules, decide } from '../../src/policy/decide.ts';
import { effectiveTools } from '../../src/policy/effective-tools.ts';
import { farWords } from '../../src/policy/far-options.ts';
import { mayUse } from '../../src/policy/grants.ts';

const FAR: readonly [command: string, words: readonly string[]][] = [
  ['git diff --output=x --stat', ['--output=x']],
  ['git log -p --outpu x', ['--outpu']],
  ['/usr/bin/git show --ext-diff', ['--ext-diff']],
  ['git fetch --upload-pack=evil origin', ['--upload-pack=evil']],
  ['git grep -Orm x', ['-Orm']],
  ['git grep -nO x', ['-nO']],
  ['git grep -e -- --open-files-in-pager=rm', ['--open-files-in-pager=rm']],
  ['git diff -O order', []],
  ['git log --oneline -SFOO --exclude=x', []],
  ['git diff --o', []],
  ['find . -name x -delete', ['-delete']],
  ['find . -f[l]s x', ['-f[l]s']],
  ['fd x -x rm', ['-x']],
  ['rg --pretty x', []],
  ['rg --pre rm x', ['--pre']],
  ['sort -k1 -uo x y', ['-uo']],
  ['npm run test --prefix /elsewhere', ['--prefix']],
  ['ls --output -o x', []],
  ['git diff *', ['*']],
  ['git diff -- ?x [-]y ./* a* \\*', ['?x', '[-]y']],
  ['ls *', []],
];

const rules = (effect: 'allow' | 'deny', ...patterns: string[]) =>
  compileRules(patterns.map((pattern) => ({ effect, pattern, layer: 'organisation' as const })));
const decided = (input: string, ...allowed: string[]) =>
  decide({ kind: 'tool', tool: 'Bash', input }, rules('allow', ...allowed), null);

describe('options that reach further', () => {
  it.each(FAR)('of %s are %j', (command, words) => {
    expect(farWords(command)).toEqual(words);
  });

  it.each([
    ['git diff --output=x', 'Bash(git diff:*)', 'ask'],
    ['git diff --output=x', 'Bash(git*)', 'ask'],
    ['git diff --output=x', 'Bash(git diff --output=x)', 'allow'],
    ['git diff --output=x --stat', 'Bash(git diff --output=x:*)', 'allow'],
    ['git diff --output=y', 'Bash(git diff --output=x:*)', 'ask'],
    ['git diff --output=x --ext-diff', 'Bash(git diff --output=x:*)', 'ask'],
    ['git diff --output=x', 'Bash(git diff --output=*)', 'allow'],
    ['git diff --output=x', 'Bash', 'allow'],
    ['git diff *.ts', 'Bash(git diff:*)', 'ask'],
    ['git diff *.ts', 'Bash(git diff *.ts)', 'ask'],
    ['git diff --output=x.ts', 'Bash(git diff *.ts)', 'ask'],
    ['git diff ./*.ts', 'Bash(git diff:*)', 'allow'],
    ["git diff '*.ts'", 'Bash(git diff:*)', 'allow'],
    ['git diff *.ts', 'Bash', 'allow'],
  ])('%s under %s: %s', (input, pattern, answer) => {
    expect(decided(input, pattern).decision).toBe(answer);
  });

  it('are suggested by themselves, and never as more of a prefix', () => {
    const { suggestions } = decided('git diff --output=x', 'Bash(git diff:*)');
    expect(suggestions.map(({ rule }) => rule.pattern)).toEqual(['Bash(git diff --output=x)']);
  });

  it('do not help anybody past a deny rule', () => {
    const denied = decide(
      { kind: 'tool', tool: 'Bash', input: 'git diff --output=x' },
      rules('deny', 'Bash(git diff:*)'),
      null,
    );
    expect(denied.decision).toBe('deny');
  });

  it('are no part of what a prefix grants', () => {
    const declared = ['Bash(git diff --output=x:*)', 'Bash(git diff --stat:*)'];
    const granted = ['Bash(git diff:*)'];
    expect(effectiveTools(declared, granted, rules('allow'))).toMatchObject({
      effective: ['Bash(git diff --stat:*)'],
      missing: ['Bash(git diff --output=x:*)'],
    });
    expect(mayUse('Bash', 'git diff --output=x', declared, granted).allowed).toBe(false);
    expect(mayUse('Bash', 'git diff --stat', declared, granted).allowed).toBe(true);
  });
});
