import { describe, expect, it } from 'vitest';
import { splitTools } from '../../../src/format/fields/split-tools.ts';

describe('splitTools', () => {
  it.each<[string, string[]]>([
    ['Read', ['Read']],
    ['Read Write', ['Read', 'Write']],
    ['Read, Write,Edit', ['Read', 'Write', 'Edit']],
    ['Bash(git diff:*), Read', ['Bash(git diff:*)', 'Read']],
    ['Bash(git:*) Bash(jq:*) Read', ['Bash(git:*)', 'Bash(jq:*)', 'Read']],
    ['Bash(echo (a, b) c) Read', ['Bash(echo (a, b) c)', 'Read']],
    ['Bash(git diff', ['Bash(git diff']],
    [') Read', [')', 'Read']],
    ['', []],
    [' , ', []],
  ])('%o', (text, tools) => {
    expect(splitTools(text)).toEqual(tools);
  });
});
