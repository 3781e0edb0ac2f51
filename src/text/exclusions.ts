/** How a description says what its skill is not for. */
const REFUSAL =
  /\b(?:(?:do|does|should|must) not|don['\u2019]t|never|not to be|skip(?: this)?|avoid)\s+(?:be\s+)?(?:us(?:e|ed|ing)|trigger|invoke|activate|apply|call|load|for|when|if)\b|\bnot (?:for|when|intended for|meant for)\b|\bskip\s*:/i;
/** A sentence ends at its mark or at the line's end; "e.g." and "Node.js" do not end one. */
const SENTENCE_END = /(?<=[^.\s]{2}[.!?;])\s+|\n+/;

/** A text as sentences: what each says its skill is for, and what it rules out, behind the words that say so; often nothing. */
export function exclusionsOf(text: string): { readonly positive: string; readonly refused: string }[] {
  return text.split(SENTENCE_END).map((sentence) => {
    const refusal = REFUSAL.exec(sentence);
    if (!refusal) return { positive: sentence, refused: '' };
    return {
      positive: sentence.slice(0, refusal.index),
      refused: sentence.slice(refusal.index + refusal[0].length),
    };
  });
}

/**
 * A text without what it rules out: from "do not use for" and the like to the end of the sentence. Those words name other
 * skills' work, and would lead to this one whoever asks for it.
 */
export function positiveText(text: string): string {
  return exclusionsOf(text)
    .map(({ positive }) => positive)
    .join('\n');
}
