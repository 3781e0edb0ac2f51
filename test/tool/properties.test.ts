import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunView } from '../../src/invoke/run-contract.ts';
import { ran, startOf, useDependencies } from '../run/support.ts';
import { allTools, answersOf, type Call, scripted } from './support.ts';

/** Few names, so that calls meet; a file can stand where another call wants a folder. */
const name = fc.constantFrom('a', 'b', 'c.md');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
/** The same file in other words. */
const spelled = path.chain((plain) =>
  fc.constantFrom(plain, `/workspace/${plain}`, `./${plain}`, `x/../${plain}`, `//workspace//${plain}`),
);
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'ü', '😀', '$&'), maxLength: 12 });

const call = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path: spelled, text }),
  fc.record({ kind: fc.constant('edit' as const), path: spelled, old: text, text, all: fc.boolean() }),
  fc.record({ kind: fc.constant('read' as const), path: spelled }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('append' as const), path }),
);
type ModelCall = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

function toolCall(made: ModelCall): Call {
  switch (made.kind) {
    case 'write':
      return ['Write', { file_path: made.path, content: made.text }];
    case 'edit':
      return [
        'Edit',
        { file_path: made.path, old_string: made.old, new_string: made.text, replace_all: made.all },
      ];
    case 'read':
      return ['Read', { file_path: made.path }];
    case 'remove':
      return ['Bash', { command: `rm -r ${made.path} 2>/dev/null && echo ok || echo no` }];
    case 'append':
      return ['Bash', { command: `[ -f ${made.path} ] && echo b >> ${made.path} && echo ok || echo no` }];
  }
}

/** What a file system is, in its fewest words: texts by paths, folders, and which texts were seen. */
class Model {
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  readonly seen = new Map<string, string>();

  /** Whether the call succeeds. */
  apply(made: ModelCall): boolean {
    const at = made.path.replace(/^(?:\/+workspace\/+|\.\/|x\/\.\.\/)/, '');
    const file = this.files.get(at);
    const above = at
      .split('/')
      .slice(0, -1)
      .map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    switch (made.kind) {
      case 'read':
        if (file !== undefined) this.seen.set(at, file);
        return file !== undefined;
      case 'write':
        if (this.folders.has(at) || above.some((folder) => this.files.has(folder))) return false;
        if (file !== undefined && this.seen.get(at) !== file) return false;
        for (const folder of above) this.folders.add(folder);
        this.#put(at, made.text);
        return true;
      case 'edit': {
        if (file === undefined || this.seen.get(at) !== file || made.old === '' || made.old === made.text)
          return false;
        const places = file.split(made.old).length - 1;
        if (places === 0 || (places > 1 && !made.all)) return false;
        this.#put(at, file.split(made.old).join(made.text));
        return true;
      }
      case 'append':
        if (file !== undefined) this.files.set(at, `${file}b\n`);
        return file !== undefined;
      case 'remove': {
        const there = file !== undefined || this.folders.has(at);
        for (const each of [...this.files.keys()])
          if (`${each}/`.startsWith(`${at}/`)) this.files.delete(each);
        for (const each of [...this.folders]) if (`${each}/`.startsWith(`${at}/`)) this.folders.delete(each);
        return there;
      }
    }
  }

  #put(at: string, content: string): void {
    this.files.set(at, content);
    this.seen.set(at, content);
  }
}

const LAST: readonly Call[] = [
  ['Glob', { pattern: '*' }],
  ['Glob', { pattern: '*.md' }],
  ['Grep', { pattern: 'b', output_mode: 'count' }],
];

test('files behave as texts by their paths, whatever is called in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 20 }), async (made) => {
      const model = new Model();
      const expected = made.map((each) => model.apply(each));
      useDependencies({ model: () => scripted([...made.map(toolCall), ...LAST]) });
      const run = await ran(startOf({ tools: allTools() }));
      const answers = answersOf(run);
      expect(made.map((each, index) => succeeded(each, answers[index] ?? ''))).toEqual(expected);
      const sizes = [...model.files].map(([path, content]) => ({
        path,
        size: new TextEncoder().encode(content).length,
      }));
      expect(byPath(run.files)).toEqual(byPath(sizes));
      const paths = byPath(sizes).map((file) => file.path);
      expect(linesOf(answers.at(-3))).toEqual(paths);
      expect(linesOf(answers.at(-2))).toEqual(paths.filter((each) => each.split('/').includes('c.md')));
      const counted = paths.flatMap((each) => {
        const hits = (model.files.get(each) ?? '').split('\n').filter((line) => line.includes('b')).length;
        return hits === 0 ? [] : [`${each}:${hits}`];
      });
      expect(linesOf(answers.at(-1))).toEqual(counted);
    }),
    { numRuns: 60 },
  );
}, 120_000);

function succeeded(made: ModelCall, answer: string): boolean {
  return made.kind === 'remove' || made.kind === 'append' ? answer === 'ok\n' : !/^[12]: /.test(answer);
}

function byPath(files: RunView['files']) {
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** Lines of an answer that are about files. */
function linesOf(answer = ''): string[] {
  return answer.split('\n').flatMap((line) => (line.startsWith('/workspace/') ? [line.slice(11)] : []));
}
