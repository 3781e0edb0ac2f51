import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joined, touchedFiles } from '../../src/detect/touched-files.ts';

/** Files as `kind path` or `kind skill:path`, of a command in `/project`. */
const touched = (command: string) =>
  touchedFiles(command, '/project').map(
    ({ kind, path, skill }) => `${kind} ${skill === null ? '' : `${skill}:`}${path}`,
  );

describe('touchedFiles', () => {
  it.each<[string, string[]]>([
    ['python scripts/fill.py a.pdf', ['script /project/scripts/fill.py']],
    ['python3.12 -u /s/pdf/scripts/fill.py', ['script /s/pdf/scripts/fill.py']],
    ['/usr/bin/env python3 ../s/x.py', ['script /s/x.py']],
    ['bash ./run.sh', ['script /project/run.sh']],
    ['node --enable-source-maps x.mjs', ['script /project/x.mjs']],
    ['deno run -A x.ts', ['script /project/x.ts']],
    ['uv run --with requests scripts/a.py', ['script /project/scripts/a.py']],
    [
      'ruby x.rb; perl y.pl && pwsh z.ps1',
      ['script /project/x.rb', 'script /project/y.pl', 'script /project/z.ps1'],
    ],
    ['/s/pdf/scripts/fill.sh x', ['script /s/pdf/scripts/fill.sh']],
    ['DEBUG=1 sudo -n timeout 5 python x.py', ['script /project/x.py']],
    ['cd /s/pdf && python scripts/fill.py', ['script /s/pdf/scripts/fill.py']],
    ['python main.py other.py', ['script /project/main.py']],
    ["python 'my scripts/a b.py'", ['script /project/my scripts/a b.py']],
    ['bash -e scripts/a.sh; uv run -p 3.12 b.py', ['script /project/scripts/a.sh', 'script /project/b.py']],
    [
      `bash -lc "cd /s/pdf && python 'scripts/a b.py'; cat SKILL.md"`,
      ['script /s/pdf/scripts/a b.py', 'document /s/pdf/SKILL.md'],
    ],
    [`sh -c 'bash -c "node x.js"'`, ['script /project/x.js']],
    // No file is run.
    ['bash -c', []],
    ['python -c "print(1)" x.py', []],
    ['python -m http.server', []],
    ['node -e 1 x.js', []],
    ['python', []],
    ['git add scripts/fill.py', []],
    ['fill.py', []],
    ['', []],
    // Readers.
    ['cat /s/pdf/SKILL.md', ['document /s/pdf/SKILL.md']],
    ["sed -n '1,50p' SKILL.md", ['document /project/SKILL.md']],
    ['head -20 a/SKILL.md b/SKILL.md', ['document /project/a/SKILL.md', 'document /project/b/SKILL.md']],
    ["awk 'NR<5' SKILL.md | less", ['document /project/SKILL.md']],
    ['cat README.md SKILL.md.bak MYSKILL.md', []],
    ['rm SKILL.md', []],
    // URLs.
    ['cat skill://pdf', ['document pdf:SKILL.md']],
    ['cat skill://pdf/SKILL.md', ['document pdf:SKILL.md']],
    ['python skill://pdf/scripts/fill.py', ['script pdf:scripts/fill.py']],
    ['python skill://pdf/../x.py', []],
    // What cannot be split exactly.
    ['python scripts/fill.py "$FILE" > out.txt', ['script /project/scripts/fill.py']],
    ['out=$(python scripts/fill.py)', ['script /project/scripts/fill.py']],
    ['cat $HOME/skills/pdf/SKILL.md', ['document /~/skills/pdf/SKILL.md']],
    ['cat ~/skills/pdf/SKILL.md', ['document /~/skills/pdf/SKILL.md']],
  ])('%s', (command, expected) => {
    expect([...new Set(touched(command))]).toEqual(expected);
  });

  it('never throws, and names only paths from the root without steps', () => {
    const piece = fc.constantFrom(
      'python ',
      'cat ',
      'x.py',
      'SKILL.md',
      '../',
      '/',
      '$',
      '"',
      "'",
      '\\',
      ';',
      ' ',
      'cd ',
      'skill://',
      '(',
      '>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        for (const { path, skill } of touchedFiles(pieces.join(''), '/a/../b')) {
          expect(path.split('/')).not.toContain('..');
          if (skill === null) expect(path.startsWith('/')).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('joined', () => {
  it.each([
    ['/a/b', 'c', '/a/b/c'],
    ['/a/b', '../c', '/a/c'],
    ['/a', '../../../c', '/c'],
    ['/a', '/b/./c//d/', '/b/c/d'],
    ['relative', 'x', '/relative/x'],
    ['/', '.', '/'],
  ])('%s and %s', (directory, path, expected) => {
    expect(joined(directory, path)).toBe(expected);
  });
});
