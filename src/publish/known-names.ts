import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import { visibleCharacters } from '../core/visible-characters.ts';
import { foldName } from '../format/fold-name.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import type { Finding } from '../scan/finding.ts';

/** Shorter names are a letter away from too many; of longer ones, all that a letter could be missing from would be kept. */
const SHORTEST = 5;
const LONGEST = 40;

/** Letters of other alphabets, and digits, that are drawn like one of ours. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьƅ',
    c: 'сϲ',
    d: 'ԁɗ',
    e: 'еєɛ',
    g: 'ɡց',
    h: 'һհ',
    i: 'іιı',
    j: 'јʝ',
    k: 'кκ',
    l: '1|ӏǀ',
    m: 'м',
    n: 'пη',
    o: '0оοօσ',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гᴦ',
    s: 'ѕ',
    t: 'тτ',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝшω',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
  }).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);
const MARKS = /\p{M}/gu;
const SEPARATORS = /[\s_.:/-]/g;
const DIGITS = /\d+/g;
/** What registries hang on a name that is taken: letters and digits mixed, or letters that nobody can say. */
const RANDOM_SUFFIX = /^(.{3,})[-_.](?=[a-z0-9]{5,16}$)(?:(?=.*\d)(?=.*[a-z])[a-z0-9]+|[b-df-hj-np-tv-xz]+)$/;

export interface KnownName {
  readonly name: string;
  readonly layer: string;
}

/** The names that are taken already, to find which of them another one could be mistaken for. */
export class KnownNames {
  readonly #bySkeleton = new Map<string, KnownName>();
  /** Skeletons with one letter left out: two names that are one mistake apart have one of these in common. */
  readonly #shortened = new Map<string, KnownName[]>();

  constructor(known: readonly KnownName[]) {
    for (const one of known) {
      const skeleton = skeletonOf(one.name);
      if (this.#bySkeleton.has(skeleton)) continue;
      this.#bySkeleton.set(skeleton, one);
      for (const shorter of neighbours(skeleton)) {
        const others = this.#shortened.get(shorter);
        if (others) others.push(one);
        else this.#shortened.set(shorter, [one]);
      }
    }
  }

  /**
   * A name that is drawn alike (letters of other alphabets, accents, digits for letters, other separators), is one letter
   * away (more, less, another, or two neighbours exchanged), or is this one without a random ending. Names that differ in
   * their numbers alone are a series.
   */
  nearTo(name: string): KnownName | null {
    const skeleton = skeletonOf(name);
    const base = RANDOM_SUFFIX.exec(foldName(name))?.[1];
    const alike =
      this.#bySkeleton.get(skeleton) ??
      (base === undefined ? undefined : this.#bySkeleton.get(skeletonOf(base))) ??
      neighbours(skeleton)
        .flatMap((shorter) => this.#shortened.get(shorter) ?? [])
        .find((known) => !isSeries(known.name, name) && isOneMistake(skeletonOf(known.name), skeleton));
    return alike === undefined || alike.name === name ? null : alike;
  }
}

/** What is left of a name for somebody who reads it quickly. */
function skeletonOf(name: string): string {
  const plain = foldName(name).normalize('NFD').replaceAll(MARKS, '').replaceAll(SEPARATORS, '');
  return Array.from(plain, (letter) => LOOKALIKES.get(letter) ?? letter).join('');
}

/** The skeleton itself, and all that lack one letter of it. */
function neighbours(skeleton: string): string[] {
  if (skeleton.length < SHORTEST || skeleton.length > LONGEST) return [];
  return [skeleton, ...Array.from(skeleton, (_, at) => skeleton.slice(0, at) + skeleton.slice(at + 1))];
}

function isSeries(left: string, right: string): boolean {
  return left !== right && left.replaceAll(DIGITS, '0') === right.replaceAll(DIGITS, '0');
}

/** Two names with a common neighbour can be two mistakes apart: one letter left out here, and another there. */
function isOneMistake(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  let end = 0;
  const shorter = Math.min(left.length, right.length) - start;
  while (end < shorter && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const [one, other] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  if (one.length <= 1 && other.length <= 1) return true;
  return one.length === 2 && one[0] === other[1] && one[1] === other[0] && other.length === 2;
}

/** A warning about the name of a skill, which makes for caution. It depends on what there is, and so is in no report. */
export function nameFinding(
  rule: 'near-name' | 'taken-name',
  name: string,
  { name: known, layer }: KnownName,
): Finding {
  const shown = `"${visibleCharacters(known)}" of ${layer}`;
  return {
    rule,
    ruleVersion: 1,
    category: 'supply-chain',
    severity: 'warn',
    path: SKILL_FILE_NAME,
    line: 1,
    message:
      rule === 'near-name'
        ? `the name can be taken for ${shown}`
        : `takes the place of ${shown}, which is trusted`,
    evidence: visibleCharacters(name),
    remediation: 'Give it a name of its own, or ask its publisher why it is called so.',
    hash: digestOf(canonicalJson({ rule, name, known })),
  };
}
