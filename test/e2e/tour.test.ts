import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT } from './started-server.ts';

it('npm run tour prints the conversation that the README shows', () => {
  const output = execFileSync(process.execPath, ['scripts/tour.ts'], { cwd: PROJECT, encoding: 'utf8' });
  const shown = /\n```text\n(1\. [\s\S]*?)```\n/.exec(readFileSync(join(PROJECT, 'README.md'), 'utf8'))?.[1];
  expect(output).toBe(shown);
});
