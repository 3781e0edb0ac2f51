// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** One line of well-formed text: what can stand in a catalog, a URL and a log line. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && text.search(CONTROL) === -1;
}

/** The same text with a `-` wherever it could not stand in one line. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(CONTROL, '-');
}
