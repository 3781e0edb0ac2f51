import { describe, expect, it } from 'vitest';
import { commandPaths } from '../../src/listing/command-paths.ts';

describe('commandPaths', () => {
  it.each<[string, string[]]>([
    ['cat src/app.ts', ['src/app.ts']],
    ['cat < src/app.ts > out.txt', ['src/app.ts', 'out.txt']],
    ['sed -i s/a/b/ "src/my app.ts"', ['s/a/b/']],
    ["vim 'pages/[id].tsx' && git add pages/[id].tsx", ['pages/[id].tsx']],
    ['eslint --config=conf/lint.json --fix lib', ['conf/lint.json']],
    ['for f in a.ts b.ts; do cat "$f"; done', ['a.ts', 'b.ts']],
    ['curl https://example.org/x.ts -o x.ts', ['x.ts']],
    ['ls src/*.ts', []],
    ['npm test', []],
    ['git commit -m "touch src/app.ts"', []],
    ['', []],
    ['cat "unterminated src/x.ts', ['src/x.ts']],
    ['cat .env', ['.env']],
    ['cd src && cat a.ts; ls ./b', ['src/a.ts', 'src/./b']],
    ['cd pkg && cd "my lib"/src && cat ../a.ts', ['pkg/my lib/src/../a.ts']],
    ['cd web && cat /etc/x.conf ~/y.ts && cd - && cat z.ts', ['/etc/x.conf', '~/y.ts', 'web/z.ts']],
    ['cd && cat a.ts', ['a.ts']],
  ])('%j: %j', (command, paths) => {
    expect(commandPaths(command)).toEqual(paths);
  });

  it('takes long commands in linear time', () => {
    for (const part of ['a/', './', "'", '\\a.', '$(', 'x=', '--a=', '[', 'cd a.b;']) {
      const command = part.repeat(20_000);
      const started = performance.now();
      commandPaths(command);
      expect(performance.now() - started).toBeLessThan(100);
    }
  });
});
