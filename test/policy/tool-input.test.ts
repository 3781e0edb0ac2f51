import { expect, it } from 'vitest';
import { toolInputText } from '../../src/policy/tool-input.ts';

it.each([
  ['Bash', { command: 'git push', timeout: 5 }, 'git push'],
  ['Bash', 'git push', 'git push'],
  ['Bash', { script: 'git push' }, '{"script":"git push"}'],
  ['Bash', { command: ['git', 'push'] }, '{"command":["git","push"]}'],
  ['Edit', { file_path: 'src/a.ts', old_string: 'x' }, 'src/a.ts'],
  ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'a.ipynb'],
  ['Glob', { pattern: '*.ts', path: 'src' }, 'src'],
  ['WebFetch', { url: 'https://example.org/' }, 'https://example.org/'],
  ['Skill', { skill: 'pdf' }, 'pdf '],
  ['Skill', { skill: 'pdf', args: 'a b' }, 'pdf a b'],
  ['mcp__desk__list', { b: 1, a: 'x' }, '{"a":"x","b":1}'],
  ['constructor', { name: 'x' }, '{"name":"x"}'],
  ['Bash', null, 'null'],
])('%s %j is compared as %s', (tool, input, text) => {
  expect(toolInputText(tool, input)).toBe(text);
});
