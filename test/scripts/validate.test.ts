import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatGithub } from '../../scripts/lib/validate/format-github.ts';
import { formatText } from '../../scripts/lib/validate/format-text.ts';
import { diagnostic } from '../../src/format/diagnostic.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';
import { PROJECT, SAMPLE, validate, validateJson } from './validate-command.ts';

describe('npm run validate', () => {
  it('prints place, severity, code and message, the hint below, and a table of codes', () => {
    const { stdout, status } = validate(`${SAMPLE}/key-duplicate`, `${SAMPLE}/key-unknown`, '--strict');
    expect(stdout).toMatch(
      /^test\/fixtures\/broken\/key-duplicate\/SKILL\.md:5:\d+: warning key-duplicate: .+\n {4}\S.+$/m,
    );
    expect(stdout).toMatch(/\n2 skills looked at, 0 not loaded\n/);
    expect(stdout).toMatch(/\n +1 {2}warning {3}key-duplicate\n +1 {2}info {6}key-unknown\n$/);
    expect(status).toBe(1);
  });

  it.each([
    ['errors', [`${SAMPLE}/yaml-refused`], 1],
    ['warnings', [`${SAMPLE}/key-duplicate`], 0],
    ['warnings with --strict', [`${SAMPLE}/key-duplicate`, '--strict'], 1],
    ['info with --strict', [`${SAMPLE}/key-unknown`, '--strict'], 0],
    ['nothing', ['skills'], 0],
    ['help', ['--help'], 0],
  ])('with %s ends as it should', (_what, words, status) => {
    expect(validate(...words).status).toBe(status);
  });

  it.each([
    [[], /nothing to validate/],
    [['no/such/folder'], /no\/such\/folder: neither/],
    [['package.json'], /package\.json: neither/],
    [['src/core'], /src\/core: there is no SKILL\.md/],
    [['skills', '--format', 'xml'], /--format xml: not one of text, json/],
    [['skills', '--format', 'constructor'], /not one of/],
    [['skills', '--help-page', 'here'], /not a URL/],
    [['skills', '--loud'], /--loud[\s\S]+npm run validate/],
  ])('refuses %j with what to do', (words, message) => {
    const { status, stderr, stdout } = validate(...words);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  it('hides info with --quiet, and what is ignored', () => {
    expect(validateJson(`${SAMPLE}/key-unknown`, '--quiet').diagnostics).toEqual([]);
    const output = validateJson(SAMPLE, '--ignore', '[a-xz]*');
    expect(output.diagnostics.every(({ path }) => path.startsWith(`${SAMPLE}/yaml-`))).toBe(true);
    expect(output.skills).toBeGreaterThan(0);
  });

  it('takes a SKILL.md for its folder, and the folder for its name', () => {
    const file = `${SAMPLE}/name-differs-from-folder/SKILL.md`;
    const [remark, ...others] = validateJson(file).diagnostics;
    expect(remark).toMatchObject({ code: 'name-differs-from-folder', path: file });
    expect(others).toEqual([]);
    expect(validateJson(`${SAMPLE}/name-differs-from-folder`)).toEqual(validateJson(file));
  });

  it('says once what lies in two of the folders', () => {
    const output = validateJson(`${SAMPLE}/key-duplicate`, SAMPLE, `${SAMPLE}/key-duplicate/SKILL.md`);
    expect(output.diagnostics.filter(({ code }) => code === 'key-duplicate')).toHaveLength(1);
    expect(output.skills).toBe(validateJson(SAMPLE).skills);
  });

  it('names files outside the working directory from there', () => {
    const root = temporaryFolder({ 'a/SKILL.md': '' });
    const [remark] = validateJson(root).diagnostics;
    expect(remark?.path).toBe(relative(PROJECT, join(root, 'a/SKILL.md')));
  });

  it('shows no links that lead back as skills of their own, and follows those inside', () => {
    const root = temporaryFolder({ 'a/SKILL.md': skillText('a') });
    mkdirSync(join(root, 'b'));
    symlinkSync('..', join(root, 'b/up'));
    symlinkSync('../a', join(root, 'b/a'));
    const output = validateJson(root);
    expect(output.skills).toBe(2);
    expect(output.codes.map(({ code }) => code)).toEqual(['symlink-cycle', 'skill-merged']);
  });
});

describe('text from files', () => {
  const findings = {
    skills: ['a/SKILL.md'],
    notLoaded: [],
    diagnostics: [diagnostic('key-unknown', 'a,b:c/S\u001b[2J.md', 3, '100% "x"\n::error::pwned\r\u202e', 7)],
  };

  it('cannot act on a terminal or begin a line', () => {
    const [first] = formatText(findings).split('\n');
    expect(first).toBe(
      'a,b:c/S\\u{001b}[2J.md:3:7: info key-unknown: 100% "x"\\u{000a}::error::pwned\\u{000d}\\u{202e}',
    );
  });

  it('cannot be a workflow command of its own', () => {
    expect(formatGithub(findings)).toBe(
      '::notice file=a%2Cb%3Ac/S\u001b[2J.md,line=3,col=7,title=key-unknown::100%25 "x"%0A::error::pwned%0D\u202e%0AThe key is kept as it is; nothing acts on it.',
    );
  });
});
