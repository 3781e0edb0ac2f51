import { parseScript } from '../sandbox/shell.ts';

/** What the shell itself does, so that no command list has it. */
const BUILTINS: ReadonlySet<string> = new Set(
  (
    '. : [ [[ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo ' +
    'enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf ' +
    'pushd pwd read readarray readonly return set shift shopt source suspend test time times trap true type typeset ' +
    'ulimit umask unalias unset wait'
  ).split(' '),
);

/** Words after which a script may find commands that its text does not show. */
const OPENS_THE_WORLD: ReadonlySet<string> = new Set(['.', 'source', 'eval', 'enable', 'unalias', 'alias']);
/** Words whose arguments are names of commands that the script knows may be absent. */
const ASKS_FOR: ReadonlySet<string> = new Set(['command', 'type', 'which', 'hash']);

/** What a walk over a syntax tree has found. */
interface Findings {
  readonly called: Set<string>;
  readonly defined: Set<string>;
  /** Why the text alone does not tell which commands there will be. */
  readonly doubts: Set<string>;
}

/**
 * Command words that a script calls and that neither the shell, nor `available`, nor the script itself has. Errs towards
 * saying nothing: words that are computed, paths, words whose failure the script expects (`command -v x`, `x || y`), and
 * scripts that source others, change `PATH` or do not parse.
 */
export async function missingCommands(script: string, available: readonly string[]): Promise<string[]> {
  const tree = await parseScript(script);
  if (tree === null) return [];
  const found: Findings = { called: new Set(), defined: new Set(), doubts: new Set() };
  walk(tree, found);
  if (found.doubts.size > 0) return [];
  const known = new Set([...available, ...found.defined]);
  return [...found.called].filter((word) => !known.has(word) && !BUILTINS.has(word) && !word.includes('/'));
}

function walk(node: unknown, found: Findings): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, found);
    return;
  }
  const fields = new Map<string, unknown>(Object.entries(node));
  switch (fields.get('type')) {
    case 'FunctionDef':
      addText(fields.get('name'), found.defined);
      break;
    case 'Assignment':
      if (fields.get('name') === 'PATH') found.doubts.add('PATH');
      break;
    case 'Statement':
      walkStatement(fields, found);
      return;
    case 'SimpleCommand':
      noteCommand(fields, found);
      break;
    default:
  }
  for (const child of fields.values()) walk(child, found);
}

/** `x || y`: the script expects that `x` may fail, so `x` may be missing too. */
function walkStatement(fields: ReadonlyMap<string, unknown>, found: Findings): void {
  const pipelines = fields.get('pipelines');
  const operators = fields.get('operators');
  if (!Array.isArray(pipelines) || !Array.isArray(operators)) return;
  pipelines.forEach((pipeline: unknown, index) => {
    const excused = operators.slice(index).includes('||');
    walk(pipeline, excused ? { ...found, called: new Set() } : found);
  });
}

function noteCommand(fields: ReadonlyMap<string, unknown>, found: Findings): void {
  const word = literalOf(fields.get('name'));
  if (word === null) return;
  if (OPENS_THE_WORLD.has(word)) found.doubts.add(word);
  if (!ASKS_FOR.has(word)) {
    found.called.add(word);
    return;
  }
  const words = fields.get('args');
  if (Array.isArray(words)) for (const argument of words) addText(literalOf(argument), found.defined);
}

/** The text of a word that is written out, `null` of one that is computed. */
function literalOf(word: unknown): string | null {
  if (typeof word !== 'object' || word === null || !('parts' in word) || !Array.isArray(word.parts))
    return null;
  const texts = word.parts.map((part: unknown) => {
    const plain = typeof part === 'object' && part !== null && 'value' in part && 'type' in part;
    return plain && part.type === 'Literal' && typeof part.value === 'string' ? part.value : null;
  });
  return texts.includes(null) ? null : texts.join('');
}

function addText(text: unknown, texts: Set<string>): void {
  if (typeof text === 'string') texts.add(text);
}
