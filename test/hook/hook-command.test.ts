import { expect, it } from 'vitest';
import { commandText } from '../../src/hook/hook-command.ts';

it.each([
  ['echo $HOME | wc', undefined, 'echo $HOME | wc'],
  ['node', [], 'node'],
  ['./check', ['--all', 'src/a.ts'], './check --all src/a.ts'],
  ['echo', ['$HOME', 'a b', "it's", '', '; rm -rf /'], `echo '$HOME' 'a b' 'it'\\''s' '' '; rm -rf /'`],
  ['my tool', ['x'], "'my tool' x"],
])('%s with %j is the command %s', (command, args, text) => {
  expect(commandText({ type: 'command', command, ...(args === undefined ? {} : { args }) })).toBe(text);
});
