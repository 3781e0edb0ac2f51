import { BYTES, estimatedTokens } from '../../listing/measure.ts';
import { LISTING_LIMITS } from '../../core/limits.ts';
import { cutText } from '../../listing/grapheme-cut.ts';
import { attributeText, encloseSkill } from '../../prompt/enclose.ts';
import type { Message } from '../../prompt/inline-messages.ts';
import type { Compacted, KeptSkill } from './session-contract.ts';

/** Instructions that are in a conversation which is about to be compacted. */
export interface LoadedSkill {
  readonly number: number;
  readonly skill: string;
  readonly layer: string;
  readonly revision: string;
  readonly text: string;
  /** False where `text` is only the beginning of them. */
  readonly whole: boolean;
  readonly args: string;
  readonly persist: boolean;
}

export interface Reattached extends Pick<Compacted, 'messages' | 'attached' | 'left'> {
  readonly whole: ReadonlySet<number>;
  readonly part: ReadonlySet<number>;
}

/** Of arguments that are history: enough to tell what it was about. Instructions that use them have all of them. */
const ARGUMENT_CHARACTERS = 300;
/** Less than this of a skill is of no use to anyone. */
const SHORTEST_TOKENS = 64;

/**
 * What a compaction attaches again, the newest first: of each skill at most `skillTokens`, of all together at most
 * `allSkillsTokens`. Arguments are told as what they were, so that nobody acts on them a second time; what is left out or
 * cut is named, since the host can start it again.
 */
export function reattach(
  newestFirst: readonly LoadedSkill[],
  { skillTokens, allSkillsTokens }: { readonly skillTokens: number; readonly allSkillsTokens: number },
): Reattached {
  const messages: Message[] = [];
  const attached: KeptSkill[] = [];
  const left: Compacted['left'][number][] = [];
  const whole = new Set<number>();
  const part = new Set<number>();
  let room = allSkillsTokens;
  for (const loaded of newestFirst) {
    const { skill, layer, revision, number } = loaded;
    const wanted = estimatedTokens(loaded.text);
    const given = Math.min(wanted, skillTokens, room);
    const cut = given < wanted || !loaded.whole;
    const useless = given < Math.min(wanted, SHORTEST_TOKENS);
    if (!loaded.persist || useless) {
      const reason = loaded.persist ? 'room' : 'not-persistent';
      left.push({ skill, layer, revision, tokens: wanted, cut: false, reason });
      continue;
    }
    const text = cut ? BYTES.cut(loaded.text, given * LISTING_LIMITS.bytesPerToken) : loaded.text;
    room -= given;
    (cut ? part : whole).add(number);
    attached.push({ skill, layer, revision, tokens: given, cut });
    messages.push({ role: 'user', kind: 'skill_reattached', text: reminder(loaded, text, cut) });
  }
  return { messages, attached, left, whole, part };
}

function reminder({ skill, args }: LoadedSkill, text: string, cut: boolean): string {
  const name = attributeText(skill);
  const given =
    args === ''
      ? ''
      : ` It was started with the arguments "${attributeText(cutText(args, ARGUMENT_CHARACTERS))}" then.`;
  const rest = cut ? ' Only the beginning is here: start the skill again for all of it.' : '';
  return [
    `The skill "${name}" was started earlier in this conversation; its instructions follow.${given} What it was asked`,
    ` for then is history: do not do it again unless somebody asks for it now.${rest}\n\n`,
    encloseSkill(skill, text),
  ].join('');
}
