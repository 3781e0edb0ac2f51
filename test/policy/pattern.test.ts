import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POLICY_LIMITS } from '../../src/core/limits.ts';
import { matchesPattern, parsePattern } from '../../src/policy/pattern.ts';

function matches(text: string, tool: string, input: string): boolean | string {
  const pattern = parsePattern(text);
  return pattern.ok ? matchesPattern(pattern.value, { tool, input }) : pattern.error.detail;
}

const MATCHING: readonly [pattern: string, tool: string, inputs: string[], others: string[]][] = [
  ['Skill', 'Skill', ['review', 'review now'], []],
  ['Skill(*)', 'Skill', ['review', ''], []],
  [
    'Skill(review)',
    'Skill',
    ['review', '/review', 'review now'],
    ['reviewer', 'review-danger', '//review', 'Review', 'now review'],
  ],
  ['Skill(/review)', 'Skill', ['review', '/review'], ['//review']],
  [
    'Skill(review:*)',
    'Skill',
    ['review', 'review now', '/review  now', 'review:deep', 'review/deep'],
    ['reviewer', 'reviewer now', 'review-danger', 'x review'],
  ],
  ['Skill(review *)', 'Skill', ['review', 'review now'], ['reviewer', 'reviewer-danger']],
  ['Skill(team-*)', 'Skill', ['team-', 'team-a', 'team-a now'], ['team', 'a-team-b']],
  ['Skill(*-safe)', 'Skill', ['very-safe'], ['danger x-safe']],
  [
    'Skill(deploy staging:*)',
    'Skill',
    ['deploy staging', 'deploy staging now'],
    ['deploy', 'deploy stagingx', 'deploy prod'],
  ],
  ['Skill(deploy prod)', 'Skill', ['deploy prod', 'deploy  prod'], ['deploy', 'deploy prod now']],
  ['Skill(org/*)', 'Skill', ['org/review'], ['organ/review', 'org']],
  ['Skill(caf\u00e9)', 'Skill', ['cafe\u0301'], ['cafe']],
  ['Bash', 'Bash', ['git diff', 'a; $(b)', ''], []],
  [
    'Bash(git diff:*)',
    'Bash',
    ['git diff', 'git diff --stat', 'g"it" diff', 'git diff; git diff x'],
    ['git difftool', 'git', 'git diff; ls', 'git "diff x"', 'git diff $X', '/usr/bin/git diff'],
  ],
  ['Bash(git diff *)', 'Bash', ['git diff', 'git diff --stat'], ['git difftool']],
  ['Bash(git diff)', 'Bash', ['git diff', 'git diff 2>&1'], ['git diff --stat']],
  ['Bash(git diff*)', 'Bash', ['git difftool'], ['git dif']],
  [
    'Bash(git * main)',
    'Bash',
    ['git push main', 'git push origin main'],
    ['git push', 'git push "a main"', 'git push main; ls'],
  ],
  ['Bash(npm run *:*)', 'Bash', ['npm run a', 'npm run a b'], ['npm run']],
  ['Bash(* --version)', 'Bash', ['node --version'], ['node --versions']],
  ['Bash(echo "a b":*)', 'Bash', ["echo 'a b' c", 'echo a\\ b'], ['echo a b']],
  ['Bash(bash run.sh:*)', 'Bash', ['bash run.sh x'], ['bash -c run.sh', 'bash run.shx']],
  [
    'Read(src/**)',
    'Read',
    ['src/a', 'src/a/b', './src//a', 'src'],
    ['src/../etc', '/src/a', 'srcs/a', 'src\\a', 'a/src/b', 'src/a\0'],
  ],
  ['Read(./src/*.ts)', 'Read', ['src/a.ts'], ['src/b/a.ts']],
  ['Read(/etc/**)', 'Read', ['/etc/passwd', '//etc/passwd'], ['etc/passwd']],
  [
    'WebFetch(domain:example.org)',
    'WebFetch',
    ['https://example.org/x', 'HTTP://EXAMPLE.org:8080', 'https://example.org./'],
    [
      'https://a.example.org',
      'https://example.org@evil.net/',
      'https://evil.net/?example.org',
      'ftp://example.org',
      'example.org',
      '',
    ],
  ],
  [
    'WebFetch(domain:*.example.org)',
    'WebFetch',
    ['https://a.example.org', 'https://a.b.example.org'],
    ['https://example.org', 'https://evilexample.org'],
  ],
  ['WebSearch(rust:*)', 'WebSearch', ['rust', 'rust edition'], ['rusty']],
  ['Agent(helper)', 'Agent', ['helper'], ['helper2']],
  ['mcp__git__log', 'mcp__git__log', [''], []],
];

describe('a pattern', () => {
  it.each(MATCHING)('%s', (pattern, tool, inputs, others) => {
    expect(inputs.map((input) => [input, matches(pattern, tool, input)])).toEqual(
      inputs.map((input) => [input, true]),
    );
    expect(others.map((input) => [input, matches(pattern, tool, input)])).toEqual(
      others.map((input) => [input, false]),
    );
    expect(matches(pattern, `${tool}x`, inputs[0] ?? '')).toBe(false);
  });

  it.each([
    ['*', ['Bash', 'Skill', 'mcp__a__b'], []],
    ['mcp__*', ['mcp__a__b', 'mcp__a'], ['Bash', 'xmcp__a']],
    ['mcp__git', ['mcp__git', 'mcp__git__log', 'mcp__git__a__b'], ['mcp__github__log', 'mcp__gi']],
    ['mcp__git__log', ['mcp__git__log'], ['mcp__git__log__all', 'mcp__git__logs', 'mcp__git']],
    ['mcp__git__get_*', ['mcp__git__get_x'], ['mcp__git__set_x']],
    ['Web*', ['WebFetch', 'WebSearch'], ['Bash']],
  ])('%s is about tools', (pattern, tools, others) => {
    expect(tools.filter((tool) => matches(pattern, tool, 'x') === true)).toEqual(tools);
    expect(others.filter((tool) => matches(pattern, tool, 'x') !== false)).toEqual([]);
  });

  it.each(
    [
      [
        '',
        ' ',
        '(x)',
        'Bash(',
        'Bash(git',
        'Bash)',
        'Bash()',
        'Bash( )',
        'Ba sh(x)',
        'Bash(x) y',
        'Bäsh',
        '1x',
      ],
      ['bash', 'bash(rm:*)', 'SKILL(x)', 'webfetch(domain:a.org)'],
      [
        'Bash(:*)',
        'Bash(a; b)',
        'Bash(a && b:*)',
        'Bash(a $X)',
        'Bash(a > b)',
        "Bash(a 'b)",
        "Bash(a '*')",
        'Bash(a:* b)',
        'Bash(a *; b)',
      ],
      ['Skill(:*)', 'Skill(/)', 'Read(../x)', 'Read(a:*)', 'Read(.)', 'Read(a\\b)', 'Read(a\u0001)'],
      [
        'WebFetch(example.org)',
        'WebFetch(domain:)',
        'WebFetch(domain:a b)',
        'WebFetch(domain:ex*mple.org)',
        'WebFetch(domain:exämple.org)',
      ],
      [
        'mcp__a__b(x)',
        'mcp__*(x)',
        'W*(x)',
        'WebSearch(:*)',
        `Skill(${'a'.repeat(POLICY_LIMITS.ruleCharacters)})`,
      ],
    ].flat(),
  )('cannot be %j', (text) => {
    const pattern = parsePattern(text);
    expect(pattern).toMatchObject({ ok: false, error: { code: 'rule_invalid' } });
    expect(pattern.ok ? '' : pattern.error.hint).toMatch(/^[A-Z].*\.$/);
  });

  it('is read or refused, whatever the text, and then matches or not', () => {
    const tool = fc.constantFrom('Bash', 'Skill', 'Read', 'WebFetch', 'Other', 'mcp__a__b');
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    let read = 0;
    fc.assert(
      fc.property(tool, text, text, (tool, specifier, input) => {
        const pattern = parsePattern(`${tool}(${specifier})`);
        if (!pattern.ok) return;
        read += 1;
        expect(typeof matchesPattern(pattern.value, { tool, input })).toBe('boolean');
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(300);
  });
});
