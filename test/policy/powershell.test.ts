import { describe, expect, it } from 'vitest';
import { compileRules, decide } from '../../src/policy/decide.ts';
import type { Effect } from '../../src/policy/rule.ts';

const answer = (input: string, effect: Effect, pattern: string) =>
  decide(
    { kind: 'tool', tool: 'PowerShell', input },
    compileRules([{ effect, pattern, layer: 'organisation' }]),
    null,
  ).decision;

const NAMES = ['Remove-Item', 'remove-item', 'REMOVE-ITEM', 'rm', 'ri', 'del', 'Erase', 'rd', 'rmdir', 'DEL'];

describe('PowerShell', () => {
  it.each(NAMES)('%s is what a deny rule speaks of, whichever of its names that has', (name) => {
    for (const denied of NAMES) {
      expect(answer(`${name} -Recurse C:/x`, 'deny', `PowerShell(${denied}:*)`)).toBe('deny');
      expect(answer(`${name} x`, 'ask', `PowerShell(${denied} X)`)).toBe('ask');
    }
    expect(answer(`ls; ${name} x`, 'deny', 'PowerShell(Remove-Item:*)')).toBe('deny');
    expect(answer(`& "${name}" x`, 'deny', 'PowerShell(Remove-Item:*)')).toBe('deny');
    expect(answer(`${name} $x`, 'deny', 'PowerShell(Remove-Item:*)')).toBe('deny');
  });

  it.each([
    ['Git.exe push --force', 'git push:*'],
    ['C:/Tools/git.exe push', 'git push:*'],
    ['iwr https://example.org', 'Invoke-WebRequest:*'],
    ['curl https://example.org', 'iwr:*'],
    ['gc secrets.txt', 'Get-Content SECRETS.txt'],
    ['Start-Process rm x', 'Remove-Item:*'],
    ['iex rm', 'Remove-Item'],
  ])('%s is met by a denied %s', (input, denied) => {
    expect(answer(input, 'deny', `PowerShell(${denied})`)).toBe('deny');
  });

  it.each([
    ['get-childitem src', 'Get-ChildItem:*', 'allow'],
    ['GIT diff', 'git diff:*', 'allow'],
    ['ls src', 'Get-ChildItem:*', 'ask'],
    ['Get-ChildItem src', 'ls:*', 'ask'],
    ['git DIFF', 'git diff:*', 'ask'],
    ['git.exe diff', 'git diff:*', 'ask'],
    ['git grep -O x', 'git grep:*', 'ask'],
    ['Remove-Items x', 'Remove-Item:*', 'ask'],
    ['iex x', 'iex:*', 'ask'],
    ['Start-Process x', 'Start-Process:*', 'ask'],
    ['pwsh x', 'pwsh:*', 'ask'],
  ])('%s under an allowed %s: %s', (input, allowed, decision) => {
    expect(answer(input, 'allow', `PowerShell(${allowed})`)).toBe(decision);
  });

  it('leaves Bash as it is', () => {
    const rules = compileRules([{ effect: 'deny', pattern: 'Bash(Remove-Item:*)', layer: 'organisation' }]);
    expect(decide({ kind: 'tool', tool: 'Bash', input: 'rm x' }, rules, null).decision).toBe('ask');
  });
});
