/**
 * Everything that would end a quoted value or its line, and every format character but the two joiners that ordinary
 * scripts and emoji need. Lone surrogates are among them, since they cannot be sent as UTF-8.
 */
const MARKUP = /[[&<>"'\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv;

/** White space, controls and invisible characters: what could hide a tag from a plain search but not from a model. */
const UNSEEN = String.raw`[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*`;

const TAG = 'skill_content';
const ESCAPED = '&lt;';

/** Linear: no two runs of unseen characters are neighbours. */
const SAME_TAG = new RegExp(`<(?=${UNSEEN}(?:/${UNSEEN})?${[...TAG].join(UNSEEN)})`, 'giu');

/**
 * Text as the value of an attribute: quotes, angle brackets, line breaks and format characters become numeric
 * references, so the value stays on its line and inside its quotes, and nothing of it is lost.
 */
export function attributeText(text: string): string {
  return text.replace(MARKUP, (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`);
}

/**
 * Wraps a skill's text in `<skill_content name="...">` so that the text cannot end the wrapper or start another: a `<`
 * that begins the same tag, opening or closing, in any case and with anything unseen in between, becomes `&lt;`. All
 * other text is kept verbatim.
 */
export function encloseSkill(name: string, text: string): string {
  return encloseTracked(name, text).text;
}

export interface EnclosedText {
  readonly text: string;
  /** Where an offset of the text that went in has got to. Asked with offsets that only grow. */
  readonly positionOf: (offset: number) => number;
}

/** The same, for a reader who wants to find parts of the text again. */
export function encloseTracked(name: string, text: string): EnclosedText {
  const opening = `<${TAG} name="${attributeText(name)}">\n`;
  const escapes: number[] = [];
  const safe = text.replace(SAME_TAG, (_, at: number) => {
    escapes.push(at);
    return ESCAPED;
  });
  let passed = 0;
  return {
    text: `${opening}${safe}\n</${TAG}>`,
    positionOf: (offset) => {
      while ((escapes[passed] ?? Infinity) < offset) passed += 1;
      return opening.length + offset + passed * (ESCAPED.length - 1);
    },
  };
}
