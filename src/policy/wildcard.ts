/** Where a `*` stops: nowhere in plain text, at `/` in a path (there `**` as a whole segment goes on). */
export type WildcardMode = 'text' | 'path';

export type TextMatcher = (text: string) => boolean;

const SLASH = '/'.charCodeAt(0);

/**
 * A matcher for a text with `*` in it, which stands for any characters, also none. In a path, a `**` that fills a whole
 * segment stands for any number of segments, and `a/**` also matches `a`; any other run of stars is one `*`.
 *
 * All states are kept at once as bits, so the time is text length x pattern length / 32 whatever either says: tenants
 * write both, and a matcher that backtracks can be made to take minutes.
 */
export function compileWildcard(source: string, mode: WildcardMode): TextMatcher {
  if (!source.includes('*')) return (text) => text === source;
  const automaton = mode === 'path' ? pathAutomaton(source) : textAutomaton(source);
  return (text) => run(automaton, text);
}

/** Bit i of a mask speaks of state i, in which the first i literals have been read. */
interface Automaton {
  readonly words: number;
  /** For each character, the states that it moves on from. */
  readonly moves: ReadonlyMap<number, Int32Array>;
  /** States that stay where they are on any character, and on any but `/`. */
  readonly stayAny: Int32Array;
  readonly staySegment: Int32Array;
  /** States after a `**` with its slash: they move on only at the start of a segment. */
  readonly guarded: Int32Array;
  readonly accepting: readonly number[];
}

interface Draft {
  readonly literals: number[];
  readonly any: Set<number>;
  readonly segment: Set<number>;
  readonly guarded: Set<number>;
}

function textAutomaton(source: string): Automaton {
  const draft = emptyDraft();
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === '*') draft.any.add(draft.literals.length);
    else draft.literals.push(source.charCodeAt(at));
  }
  return build(draft, [draft.literals.length]);
}

function pathAutomaton(source: string): Automaton {
  const draft = emptyDraft();
  const accepting: number[] = [];
  const segments = source.split('/');
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '**') {
      const state = draft.literals.length;
      draft.any.add(state);
      if (last) {
        draft.guarded.delete(state);
        if (draft.literals.at(-1) === SLASH) accepting.push(state - 1);
      } else draft.guarded.add(state);
      continue;
    }
    for (let at = 0; at < segment.length; at += 1) {
      const state = draft.literals.length;
      if (segment[at] !== '*') draft.literals.push(segment.charCodeAt(at));
      else if (!draft.guarded.delete(state)) draft.segment.add(state);
    }
    if (!last) draft.literals.push(SLASH);
  }
  return build(draft, [...accepting, draft.literals.length]);
}

function emptyDraft(): Draft {
  return { literals: [], any: new Set(), segment: new Set(), guarded: new Set() };
}

function build(draft: Draft, accepting: readonly number[]): Automaton {
  const words = (draft.literals.length >>> 5) + 1;
  const maskOf = (states: Iterable<number>): Int32Array => {
    const mask = new Int32Array(words);
    for (const state of states) mask[state >>> 5] = (mask[state >>> 5] ?? 0) | (1 << (state & 31));
    return mask;
  };
  const positions = Map.groupBy(draft.literals.keys(), (state) => draft.literals[state] ?? 0);
  return {
    words,
    moves: new Map([...positions].map(([code, states]) => [code, maskOf(states)])),
    stayAny: maskOf(draft.any),
    staySegment: maskOf([...draft.any, ...draft.segment]),
    guarded: maskOf(draft.guarded),
    accepting,
  };
}

function run(automaton: Automaton, text: string): boolean {
  const { words, moves, guarded } = automaton;
  const state = new Int32Array(words);
  state[0] = 1;
  let segmentStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const move = moves.get(code);
    const stay = code === SLASH ? automaton.stayAny : automaton.staySegment;
    let carry = 0;
    let alive = 0;
    for (let word = 0; word < words; word += 1) {
      const here = state[word] ?? 0;
      const free = segmentStart ? here : here & ~(guarded[word] ?? 0);
      const moved = free & (move?.[word] ?? 0);
      const next = (moved << 1) | carry | (here & (stay[word] ?? 0));
      carry = moved >>> 31;
      state[word] = next;
      alive |= next;
    }
    if (alive === 0) return false;
    segmentStart = code === SLASH;
  }
  return automaton.accepting.some((final) => ((state[final >>> 5] ?? 0) & (1 << (final & 31))) !== 0);
}

/** Whether some text matches both, each `*` standing for anything. Time and space: the product of the lengths at most. */
export function wildcardsMeet(left: string, right: string): boolean {
  if (beginningsDiffer(left, right)) return false;
  // `below[j]` says whether the rest of `left` after this row and the rest of `right` from j meet.
  let below: boolean[] = Array.from({ length: right.length + 1 }, () => false);
  for (let i = left.length; i >= 0; i -= 1) {
    const row: boolean[] = Array.from({ length: right.length + 1 }, () => false);
    for (let j = right.length; j >= 0; j -= 1) {
      const atEnd = i === left.length && j === right.length;
      const skipLeft = below[j] ?? false;
      const skipRight = row[j + 1] ?? false;
      if (left[i] === '*' || right[j] === '*') row[j] = (i < left.length && skipLeft) || skipRight;
      else row[j] = atEnd || (left[i] !== undefined && left[i] === right[j] && (below[j + 1] ?? false));
    }
    below = row;
  }
  return below[0] ?? false;
}

/** Most pairs are told apart by what stands before their first `*`. */
function beginningsDiffer(left: string, right: string): boolean {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    if (left[at] === '*' || right[at] === '*') return false;
    if (left[at] !== right[at]) return true;
  }
  return false;
}
