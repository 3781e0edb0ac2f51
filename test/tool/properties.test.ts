import { runInDurableObject } from 'cloudflare:test';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolResult } from '../../src/model/message.ts';
import { pageFiles } from '../../src/sandbox/workspace-files.ts';
import { WorkspaceStore } from '../../src/sandbox/workspace-store.ts';
import { newDirectory, newFile, Workspace } from '../../src/sandbox/workspace.ts';
import { makeCall } from '../../src/tool/call-tool.ts';
import { toolGate } from '../../src/tool/tool-gate.ts';
import { toolbox } from '../../src/tool/toolbox.ts';
import { runs, startOf, stubOf, TestBlobs } from '../run/support.ts';
import { allTools, type Call, NO_PORTS } from './support.ts';

/** Few paths, so that calls meet; a file can stand where another call wants a folder. */
const path = fc.constantFrom('a', 'a/b', 'a/b/c.md', 'b', 'given');
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
        for (const each of this.files.keys()) if (`${each}/`.startsWith(`${at}/`)) this.files.delete(each);
        for (const each of this.folders) if (`${each}/`.startsWith(`${at}/`)) this.folders.delete(each);
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

const EMPTY = ['DELETE FROM entry', 'DELETE FROM piece', 'DELETE FROM seen'];

test('files behave as texts by their paths, whatever is called in whatever order', async () => {
  const start = startOf();
  await runs.start(start);
  await runInDurableObject(stubOf(start), (_, { storage }) =>
    fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 4, maxLength: 20 }), async (made) => {
        for (const statement of EMPTY) storage.sql.exec(statement);
        const store = new WorkspaceStore(storage.sql);
        place(store, { given: 'b\n' });
        const model = new Model();
        model.files.set('given', 'b\n');
        const expected = made.map((each) => model.apply(each));
        const answers = await answersTo([...made.map(toolCall), ...LAST], store, storage);
        expect(made.map((each, index) => succeeded(each, answers[index]))).toEqual(expected);
        expectFiles(store, model, answers);
      }),
      { numRuns: 200 },
    ),
  );
}, 120_000);

function place(store: WorkspaceStore, files: Record<string, string>): void {
  const workspace = new Workspace(store);
  for (const folder of ['/workspace', '/tmp']) workspace.put(folder, newDirectory());
  for (const [name, content] of Object.entries(files))
    workspace.put(`/workspace/${name}`, newFile(new TextEncoder().encode(content)));
  workspace.apply();
}

/** Each call a step of its own, as in a run. */
async function answersTo(
  calls: readonly Call[],
  store: WorkspaceStore,
  storage: DurableObjectStorage,
): Promise<ToolResult[]> {
  const tools = allTools();
  const box = toolbox({ organisation: 'acme', tools, mcpServers: {} }, NO_PORTS);
  const results: ToolResult[] = [];
  for (const [step, [tool, input]] of calls.entries()) {
    const read = (await box.find(tool))?.read(input);
    if (read?.ok !== true) {
      results.push({ stdout: '', stderr: '', exitCode: 2, refused: false });
      continue;
    }
    const { result, apply } = await makeCall(read.value, {
      store,
      step,
      skill: { directory: '/skills/s', files: [], space: 'o/acme' },
      blobs: new TestBlobs(),
      gate: toolGate({ rules: [], tools }),
      remainingMilliseconds: 60_000,
      signal: new AbortController().signal,
    });
    storage.transactionSync(apply);
    results.push(result);
  }
  return results;
}

function expectFiles(store: WorkspaceStore, model: Model, answers: readonly ToolResult[]): void {
  const files = [...model.files].toSorted(([left], [right]) => (left < right ? -1 : 1));
  const sizes = files.map(([at, content]) => ({ path: at, size: new TextEncoder().encode(content).length }));
  expect(pageFiles(store, '', 100)).toEqual({ files: sizes, next: null });
  const paths = files.map(([at]) => at);
  const counted = files.flatMap(([at, content]) => {
    const hits = content.split('\n').filter((line) => line.includes('b')).length;
    return hits === 0 ? [] : [`${at}:${hits}`];
  });
  const markdown = paths.filter((each) => each.endsWith('.md'));
  expect(answers.slice(-LAST.length).map(({ stdout }) => linesOf(stdout))).toEqual([
    paths,
    markdown,
    counted,
  ]);
}

function succeeded(made: ModelCall, answer: ToolResult | undefined): boolean {
  const shell = made.kind === 'remove' || made.kind === 'append';
  return shell ? answer?.stdout === 'ok\n' : answer?.exitCode === 0;
}

/** Lines of an answer that are about files. */
function linesOf(answer: string): string[] {
  return answer.split('\n').flatMap((line) => (line.startsWith('/workspace/') ? [line.slice(11)] : []));
}
