import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = resolve(import.meta.dirname, '../src');

/** Floors from the ground up. A folder imports from its own and from floors below, never sideways except as listed. */
const FLOORS: readonly (readonly string[])[] = [
  ['core'],
  ['catalog', 'format', 'policy', 'secret', 'text'],
  ['scan', 'prompt', 'listing', 'mention', 'detect', 'audit'],
  ['compile', 'model'],
  ['view', 'publish', 'hook', 'invoke'],
  ['store', 'org', 'session', 'sandbox', 'tool', 'run', 'search', 'events', 'registry'],
  ['http', 'mcp', 'console'],
];
/** The floors that know Cloudflare: its modules, and its types as globals. */
const CLOUDFLARE = new Set([
  'store',
  'org',
  'session',
  'sandbox',
  'tool',
  'run',
  'search',
  'events',
  'http',
  'mcp',
  'console',
]);
/** Rooms of one floor that may look into each other, in this direction only. */
const DOORWAYS = new Set([
  'publish>view',
  'invoke>view',
  'hook>view',
  'invoke>hook',
  'org>store',
  'run>events',
  'run>org',
  'run>store',
  'run>sandbox',
  'run>tool',
  'tool>sandbox',
  'sandbox>store',
  'search>store',
  'session>store',
  'session>sandbox',
  'session>events',
]);

const files = listFiles(SOURCE).filter((file) => !file.endsWith('bindings.d.ts'));

describe('the house', () => {
  it('has a floor for every folder', () => {
    const known = new Set(FLOORS.flat());
    const folders = readdirSync(SOURCE).filter((name) => statSync(join(SOURCE, name)).isDirectory());
    expect(folders.filter((folder) => !known.has(folder))).toEqual([]);
  });

  it.each(files.map((file) => relative(SOURCE, file)))('%s imports only from below', (file) => {
    const room = roomOf(join(SOURCE, file));
    const wrong = importsOf(join(SOURCE, file)).filter(
      (target) => target.startsWith('.') && !mayImport(room, roomOf(resolve(SOURCE, dirname(file), target))),
    );
    expect(wrong).toEqual([]);
  });

  it.each(files.map((file) => relative(SOURCE, file)))('%s knows Cloudflare only where it may', (file) => {
    const room = roomOf(join(SOURCE, file));
    if (room === '' || CLOUDFLARE.has(room)) return;
    const text = readFileSync(join(SOURCE, file), 'utf8');
    expect(importsOf(join(SOURCE, file)).filter((target) => target.startsWith('cloudflare:'))).toEqual([]);
    expect(
      text.match(/\b(?:KVNamespace|R2Bucket|DurableObject\w*|SqlStorage|ExecutionContext)\b/g),
    ).toBeNull();
  });

  it('keeps heavy packages behind a lazy import', () => {
    const eager = files.filter((file) =>
      /^import (?!type)[^;]*from '(?:just-bash|re2js|entities|@modelcontextprotocol|ai'|@ai-sdk|workers-ai-provider)/m.test(
        readFileSync(file, 'utf8'),
      ),
    );
    expect(eager).toEqual([]);
  });
});

describe('the vocabulary of a tokenizer', () => {
  it('weighs a megabyte and is nowhere in the Worker', () => {
    const importers = files.filter((file) =>
      importsOf(file).some((target) => target.startsWith('gpt-tokenizer')),
    );
    expect(importers).toEqual([]);
  });
});

function mayImport(from: string, to: string): boolean {
  if (from === '' || from === to) return true;
  const floor = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));
  return floor(to) !== -1 && (floor(to) < floor(from) || DOORWAYS.has(`${from}>${to}`));
}

function roomOf(file: string): string {
  const parts = relative(SOURCE, file).split('/');
  return parts.length > 1 ? (parts[0] ?? '') : '';
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? listFiles(path) : path.endsWith('.ts') ? [path] : [];
  });
}
