import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE_NOTES } from '../../scripts/lib/validate/code-notes.ts';
import { codesOf } from '../../scripts/lib/validate/codes.ts';
import { diagnosticsPage, PAGE } from '../../scripts/lib/validate/diagnostics-page.ts';
import { DIAGNOSTICS } from '../../src/format/diagnostic.ts';
import { placeOf, PROJECT, SAMPLE, validate, validateJson } from './validate-command.ts';

const examples = codesOf(DIAGNOSTICS).flatMap((code) => {
  const note = CODE_NOTES[code];
  return 'at' in note ? [{ code, note }] : [];
});

describe('the sample that is broken in every way', () => {
  const output = validateJson(SAMPLE);

  it.each(examples)('shows $code at its exact place, and nothing else', ({ code, note }) => {
    const folder = `${SAMPLE}/${code}/`;
    const remarks = output.diagnostics.filter(({ path }) => path.startsWith(folder));
    expect(remarks.filter((entry) => entry.code === code).map(placeOf)).toEqual([folder + note.at]);
    const others = new Set(remarks.map((entry) => entry.code).filter((other) => other !== code));
    expect([...others].toSorted()).toEqual([...(note.also ?? [])].toSorted());
  });

  it('has a folder for each code with an example, and no others', () => {
    const folders = readdirSync(join(PROJECT, SAMPLE)).toSorted();
    expect(folders).toEqual(examples.map(({ code }) => code).toSorted());
  });

  it('is printed with a line and a column for each fault', () => {
    const heads = validate(SAMPLE).stdout.matchAll(/^(\S+:\d+:\d+: \w+ [a-z-]+): /gm);
    const printed = new Set([...heads].map((match) => match[1]));
    const wanted = examples.map(({ code, note }) => {
      const [path, line, column = '1'] = note.at.split(':');
      return `${SAMPLE}/${code}/${path}:${line}:${column}: ${DIAGNOSTICS[code][0]} ${code}`;
    });
    expect(wanted.filter((head) => !printed.has(head))).toEqual([]);
  });
});

describe('the page of all codes', () => {
  it('is what the codes say now (npm run docs:diagnostics writes it)', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(diagnosticsPage());
  });

  it('has an anchor for every code', () => {
    const headings = [...diagnosticsPage().matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    expect(headings.toSorted()).toEqual(codesOf(DIAGNOSTICS).toSorted());
  });
});
