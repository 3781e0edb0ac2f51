import type { Mention } from './mention.ts';
import { skillLines } from './skill-lines.ts';
import { slashCommands } from './slash-commands.ts';
import { textMentions } from './text-mentions.ts';

/** Everything that names a skill in a text. */
export interface ScannedText {
  /** Commands at its beginning, at most as many as can be stacked. */
  readonly commands: readonly Mention[];
  /** All others, in their order; none overlaps another. */
  readonly mentions: readonly Mention[];
}

/** Scans a text in linear time. */
export function scanMentions(text: string): ScannedText {
  const lines = skillLines(text);
  const mentions: Mention[] = [];
  let next = 0;
  for (const mention of textMentions(text)) {
    while (next < lines.length && (lines[next]?.start ?? 0) <= mention.start) {
      const line = lines[next];
      if (line) mentions.push(line);
      next += 1;
    }
    // What a line names is said once.
    if (mention.start >= (mentions.at(-1)?.end ?? 0)) mentions.push(mention);
  }
  return { commands: slashCommands(text), mentions: [...mentions, ...lines.slice(next)] };
}
