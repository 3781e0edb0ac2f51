/** What a terminal would act on, what shows nothing, and what shows text in another order than it has. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text in one line for a terminal or a log, with every hidden character written as its number. */
export function visibleCharacters(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  );
}
