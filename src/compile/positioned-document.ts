import { isNode, isPair, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';

/** What is wrong with a document of settings, and on which line. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** A value with the lines of its parts: `line(['sources', 0, 'path'])`. */
export interface Positioned<Value> {
  readonly value: Value;
  line(path: readonly PropertyKey[]): number;
}

/**
 * Reads YAML, or JSON, which is YAML too, by a schema. Every fault comes with its line. Aliases are refused: nothing that
 * small needs them, and they can grow without bound.
 */
export function readPositioned<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): Result<Positioned<z.infer<Schema>>, Fault[]> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', schema: 'core' });
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  // After the first error of syntax the others are guesses.
  const [error] = document.errors;
  if (error)
    return fail([
      { line: lineAt(error.pos[0]), message: error.message.split(' at line ', 1)[0] ?? error.message },
    ]);
  const alias = firstAlias(document);
  if (alias !== null) return fail([{ line: lineAt(alias), message: 'aliases are not accepted' }]);
  const line = (path: readonly PropertyKey[]): number => lineAt(offsetOf(document, path));
  const parsed = schema.safeParse(document.toJS({ maxAliasCount: 0 }));
  if (parsed.success) return ok({ value: parsed.data, line });
  return fail(
    parsed.error.issues.map((issue) => {
      const key = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
      const where = issue.path.map(String).join('.');
      return {
        line: line([...issue.path, ...key]),
        message: where === '' ? issue.message : `${where}: ${issue.message}`,
      };
    }),
  );
}

function firstAlias(document: Document): number | null {
  let found: number | null = null;
  visit(document, {
    Alias(_key, node) {
      found = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

/** Where the deepest part of a path that exists begins; for a member of a map, its key. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isNode(parent) && 'items' in parent) {
      const items: readonly unknown[] = parent.items;
      const pair = items.find(
        (item) => isPair(item) && isNode(item.key) && 'value' in item.key && String(item.key.value) === key,
      );
      if (isPair(pair) && isNode(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return 0;
}
