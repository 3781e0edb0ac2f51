/** How a listing is written: what stands around its parts. */
export interface Layout {
  /** Around all lines, each on lines of its own; nothing where there is no line. */
  readonly block: readonly [string, string];
  /** Around a name. */
  readonly name: readonly [string, string];
  /** Around a mark of origin, where there is one. */
  readonly mark: readonly [string, string];
  /** Around a text, where there is one. */
  readonly text: readonly [string, string];
  /** At the end of a line. */
  readonly end: string;
  /** Around the line about omitted entries. */
  readonly tail: readonly [string, string];
  /** Around the line about names that were listed before and are gone. */
  readonly gone: readonly [string, string];
  /** Makes visible text safe to stand in it, where it is not. Texts are measured, capped and cut as they are written. */
  readonly escape: ((text: string) => string) | null;
  /** Mends an escaped text that was cut; what it gives is not longer. */
  readonly mend: ((cut: string) => string) | null;
}

/** `- name: text`. */
export const LINES: Layout = {
  block: ['', ''],
  name: ['- ', ''],
  mark: [' [', ']'],
  text: [': ', ''],
  end: '',
  tail: ['', ''],
  gone: ['', ''],
  escape: null,
  mend: null,
};

/** Lines in a reminder, as a harness puts them into a conversation. */
export const REMINDER: Layout = {
  ...LINES,
  block: ['<system-reminder>\nSkills that you can call by name:\n\n', '\n</system-reminder>'],
};

/** The XML of the client guide of agentskills.io, a skill on a line. */
export const XML: Layout = {
  block: ['<available_skills>\n', '\n</available_skills>'],
  name: ['<skill><name>', '</name>'],
  mark: ['<origin>', '</origin>'],
  text: ['<description>', '</description>'],
  end: '</skill>',
  tail: ['<more>', '</more>'],
  gone: ['<gone>', '</gone>'],
  escape: escapeXml,
  mend: mendXml,
};

/** What is printed of an entry whatever it loses, but for what ends its line. */
export function headOf(
  { name, mark }: { readonly name: string; readonly mark: string },
  layout: Layout,
): string {
  const head = layout.name[0] + name + layout.name[1];
  return mark === '' ? head : head + layout.mark[0] + mark + layout.mark[1];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

/** A cut inside of an entity goes before it: in escaped text, every `&` begins one. */
function mendXml(cut: string): string {
  const entity = cut.lastIndexOf('&');
  return entity <= cut.lastIndexOf(';') ? cut : `${cut.slice(0, entity)}…`;
}
