import { estimateTokenCount } from 'tokenx';
import type { Message } from '../model/message.ts';

/** Asks a model to write down what the rest of its work needs. */
export const COMPACTION_REQUEST: Message = {
  role: 'user',
  text: `This conversation is about to be replaced by a summary, since it fills the context window. Write that summary now, without calling a tool. Say:

- what was asked, and what of it is done, with the results that still matter;
- which files were read, made or changed, by path, and what is in them as far as it matters;
- what failed and why, so that it is not tried again;
- what is to be done next, step by step.

Keep names, paths, numbers and wording that somebody relies on exactly as they are.`,
};

/** The conversation from here on: the task as it was given, and the summary in the place of everything since. */
export function compacted(prompt: Message, summary: string): Message[] {
  return [
    prompt,
    {
      role: 'user',
      text: `What was said and done since then did not fit any more. This is your summary of it; go on from there.\n\n${summary}`,
    },
  ];
}

/** About how many tokens messages have. */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokenCount(textOf(message)), 0);
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.text;
    case 'assistant':
      return message.text + message.calls.map(({ tool, input }) => tool + JSON.stringify(input)).join('');
    case 'tool':
      return message.result.stdout + message.result.stderr;
  }
}
