import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT, validateJson } from './validate-command.ts';

/** Real skills by other people, where the workspace has them. Nothing in the project needs them. */
const CORPORA = resolve(PROJECT, '../shared/corpora');

/** Skills with a frontmatter that do not load all the same, by path below the corpora, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

describe.skipIf(!existsSync(CORPORA))(
  'npm run validate over real skills (skipped where the workspace has none)',
  () => {
    it('loads every SKILL.md that has a frontmatter, and says what it finds by code', () => {
      const started = performance.now();
      const output = validateJson(relative(PROJECT, CORPORA));
      const seconds = (performance.now() - started) / 1000;
      const found = execFileSync('find', ['.', '-name', 'SKILL.md'], { cwd: CORPORA, encoding: 'utf8' });
      expect(output.skills).toBe(found.trim().split('\n').length);

      const notLoaded = output.notLoaded
        .filter((path) => /^\uFEFF?---[ \t]*\r?\n/.test(readFileSync(join(PROJECT, path), 'utf8')))
        .map((path) => relative(CORPORA, join(PROJECT, path)));
      expect(notLoaded.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());

      // One and a half seconds on two idle cores.
      expect(seconds).toBeLessThan(20);
      const { codes, skills } = output;
      const rows = codes.map(
        ({ count, severity, code }) => `${String(count).padStart(7)}  ${severity.padEnd(8)}  ${code}`,
      );
      process.stdout.write(`\n${skills} skills in ${seconds.toFixed(1)} s\n${rows.join('\n')}\n`);
    }, 120_000);
  },
);
