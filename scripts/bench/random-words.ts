const VOCABULARY = 20_000;
const SYLLABLES = 'ba ce di fo gu ka le mi no pu ra so ti vo wu za'.split(' ');

/** Chooses at random, but the same each time. */
export interface Random {
  /** From 0 up to, and not, 1. */
  next(): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** A linear congruential generator is good enough for words, once neighbouring seeds are far apart. */
export function picker(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e37_79b1);
  state = Math.imul(state ^ (state >>> 15), 0x85eb_ca6b) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    pick(items) {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('nothing to choose from');
      return item;
    },
  };
}

/** Words that are as frequent as Zipf's law says, of three or four syllables, none a form of another. */
export function anyWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => wordOf(Math.floor(VOCABULARY ** random.next()) - 1)).join(' ');
}

function wordOf(rank: number): string {
  let text = '';
  for (let rest = rank + 256; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16] ?? '';
  return text;
}
