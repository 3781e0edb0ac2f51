/** What nobody sees and a model may obey: controls other than line ends and tabs, zero-width, bidirectional, tag characters. */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\t\n]]/gv;

/** Text of a stranger as a model may see it. */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, '');
}

/** Takes secrets, also as JSON writes them, out of a cleaned text that nothing was cut off of, where a server sends back what it was sent. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return spellings.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
