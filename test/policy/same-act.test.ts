import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, decide } from '../../src/policy/decide.ts';

/** What becomes of a command under one deny rule, where Bash is trusted otherwise. */
function under(pattern: string, input: string, effect: 'deny' | 'ask' = 'deny'): string {
  const rules = compileRules([
    { effect: 'allow', pattern: 'Bash', layer: 'organisation' },
    { effect, pattern, layer: 'organisation' },
  ]);
  return decide({ kind: 'tool', tool: 'Bash', input }, rules, null).decision;
}

const SPELLINGS: readonly [rule: string, denied: string[], asked: string[], allowed: string[]][] = [
  [
    'Bash(rm -rf:*)',
    [
      'rm -rf /',
      'rm -fr /',
      'rm -r -f /',
      'rm -f -v -r /',
      'rm / -rf',
      'rm -rfv /',
      'rm -vfr -- /',
      '/bin/rm -fr /',
      '../../bin/rm -fr /',
      '\\rm -fr /',
      '"rm" "-fr" /',
      "r'm' -r'f' /",
      'command rm -fr /',
      'env rm -fr /',
      'env X=1 Y=2 rm -fr /',
      'env -i -u A -u B -C / X=1 rm -fr /',
      'X=1 rm -fr /',
      'sudo -n -u root -g wheel rm -fr /',
      'nohup rm -fr / &',
      'echo x | xargs rm -fr',
      'find . -exec rm -fr {} +',
      "find . -execdir rm -fr '{}' ';'",
      'git diff; rm -fr /',
      'echo $(rm -fr /)',
      'sh -c "rm -fr /"',
      'rm -fr $HOME',
    ],
    ['rm --recursive --force /', 'rm -Rf /', 'rm --recurs -f /', 'rm -r* /', 'r? -rf /', '$X -rf /'],
    ['rm -r /', 'rm -f x', 'rmdir -rf x', 'echo rm -rf', 'ls -rf'],
  ],
  [
    'Bash(git push:*)',
    [
      'git push',
      'git -C . push',
      'git --git-dir .git push',
      'git --git-dir=.git --work-tree=. push origin',
      'git -c a.b=c -C x push',
      'git --no-pager push',
      '/usr/bin/git -C . push',
      'env GIT_DIR=x git -C . push',
      'git -C "a b" push',
      'git -C push push',
    ],
    ['git -C . pus[h]', 'git -C . ???h', 'git -C *', 'git $X'],
    ['git pull', 'git -C . status', 'git status push', 'git stash push', 'git pushx'],
  ],
  [
    'Bash(git push --force:*)',
    ['git push --force', 'git push origin main --force', 'git -C . push origin --force'],
    ['git push -f', 'git push --forc origin'],
    ['git push', 'git push -F', 'git push --tags', 'git push --no-verify'],
  ],
  ['Bash(git push)', ['git push', 'git -C . push'], [], ['git push origin', 'git push --tags', 'git']],
  ['Bash(ls -la)', ['ls -la', 'ls -al', 'ls -a -l'], [], ['ls -la x', 'ls -l', 'ls -lah', 'ls x -la']],
  [
    'Bash(npm publish --tag=beta)',
    ['npm publish --tag=beta', 'npm publish --tag beta', 'npm --tag beta publish --tag beta'],
    [],
    ['npm publish --tag latest', 'npm publish'],
  ],
  [
    'Bash(git push*)',
    ['git push', 'git pushx y', 'git -C . push', 'git -C . pushx', '/bin/git push'],
    ['git -C *'],
    ['git pus', 'git -C . pus', 'git pull'],
  ],
  ['Bash(rm -r*)', ['rm -r x', 'rm -rf x', 'rm -vr x', 'rm -v -r x'], ['rm -R x'], ['rm x']],
  ['Bash(/opt/deploy:*)', ['/opt/deploy x', '"/opt/deploy" -v'], [], ['deploy x', '/usr/deploy']],
];

describe('a rule that restricts', () => {
  it.each(SPELLINGS)('%s means the same act in other spellings', (rule, denied, asked, allowed) => {
    const outcome = (commands: readonly string[]) => commands.map((text) => [text, under(rule, text)]);
    expect(outcome(denied)).toEqual(denied.map((text) => [text, 'deny']));
    expect(outcome(asked)).toEqual(asked.map((text) => [text, 'ask']));
    expect(outcome(allowed)).toEqual(allowed.map((text) => [text, 'allow']));
    expect(denied.map((text) => under(rule, text, 'ask'))).toEqual(denied.map(() => 'ask'));
  });

  it('is found however its options are ordered, bundled, and wrapped', () => {
    const letters = fc.shuffledSubarray(['r', 'f', 'v', 'i', 'd'], { minLength: 2 });
    const bundled = fc.tuple(letters, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }));
    const options = bundled.map(([chosen, breaks]) =>
      chosen.map((letter, at) => (at === 0 || breaks[at] === true ? ` -${letter}` : letter)).join(''),
    );
    const wrap = fc.constantFrom(
      '#',
      '/bin/#',
      'command #',
      'env A=1 #',
      'sudo -E -u me #',
      'true && #',
      '(#)',
      'if :; then #; fi',
    );
    let forbidden = 0;
    fc.assert(
      fc.property(options, fc.constantFrom(' x', ' -- x', ''), wrap, (options, target, wrap) => {
        const command = wrap.replace('#', () => `rm${options}${target}`);
        const both = options.includes('r') && options.includes('f');
        if (both) forbidden += 1;
        const decision = under('Bash(rm -rf:*)', command);
        if (both) expect([command, decision]).toEqual([command, 'deny']);
      }),
      { numRuns: 3_000 },
    );
    expect(forbidden).toBeGreaterThan(500);
  });
});

it('a rule that allows means what it says and no other spelling', () => {
  const rules = compileRules([{ effect: 'allow', pattern: 'Bash(git push --dry-run:*)', layer: 'project' }]);
  const decision = (input: string) => decide({ kind: 'tool', tool: 'Bash', input }, rules, null).decision;
  expect(decision('git push --dry-run x')).toBe('allow');
  for (const input of ['git -C . push --dry-run', 'git push x --dry-run', '/bin/git push --dry-run'])
    expect(decision(input)).toBe('ask');
});

it('finds no act in what goes on for ever', () => {
  const rules = Array.from({ length: 1_000 }, (_, index) => `Bash(rm -rf --name-${index} x${index}:*)`);
  const compiled = compileRules(rules.map((pattern) => ({ effect: 'deny', pattern, layer: 'organisation' })));
  const input = `rm ${Array.from({ length: 2_000 }, (_, index) => `--n${index}`).join(' ')}`;
  const start = performance.now();
  for (const text of [input, input.replaceAll(' ', '; rm '), `$X ${input}`])
    decide({ kind: 'tool', tool: 'Bash', input: text.slice(0, 16_000) }, compiled, null);
  expect(performance.now() - start).toBeLessThan(5_000);
});
