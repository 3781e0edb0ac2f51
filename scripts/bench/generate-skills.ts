import type { SourceTree } from '../../src/compile/source-tree.ts';
import { anyWords, picker, type Random } from './random-words.ts';

const VERBS = ['review', 'migrate', 'deploy', 'profile', 'document', 'triage', 'refactor', 'audit'];
const OBJECTS = ['database', 'pipeline', 'invoice', 'dashboard', 'schema', 'changelog', 'cluster', 'report'];
const REASONS = [
  'a release is near',
  'numbers look wrong',
  'someone asks for a second look',
  'a customer waits for an answer',
  'the nightly job failed',
];
const SENTENCES = [
  'Read what is there before you change anything, and say what you found.',
  'Keep the change small enough that one person can check it in a quarter of an hour.',
  'When two sources disagree, name both and ask which one is right.',
  'Write down every assumption that the result rests on.',
  'Stop at the first step that fails, and show its output as it was.',
  'Prefer the tool that the project has already to a new one.',
  'Leave names, formats and order as they are unless the task is about them.',
];
const DESCRIPTION_WORDS = 12;
const GUIDE_CHARACTERS = 4_000;
/** Every so many skills, one has files besides SKILL.md. */
const WITH_FILES = 5;

export interface GeneratedSkill {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** What stands in SKILL.md below the frontmatter. */
  readonly body: string;
  /** Paths are relative to the folder, which has the skill's name; SKILL.md is the first. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** What one skill is made of: the same at the same place each time, so that any number of them have a common beginning. */
export interface SkillShape {
  readonly bodyCharacters: number;
  /** Another one of these is another text under the same name. */
  readonly edition?: number;
}
/** As long as a SKILL.md usually is. */
export const USUAL_SHAPE: SkillShape = { bodyCharacters: 3_000 };

export function generateSkill(index: number, { bodyCharacters, edition = 0 }: SkillShape): GeneratedSkill {
  const random = picker(index);
  const [verb, object] = [random.pick(VERBS), random.pick(OBJECTS)];
  const name = `${verb}-${object}-${String(index).padStart(5, '0')}`;
  const words = anyWords(random, DESCRIPTION_WORDS);
  const description = `${capital(verb)} the ${object}: ${words}. Use when ${random.pick(REASONS)}.`;
  const license = 'Apache-2.0';
  const metadata = {
    owner: random.pick(['platform', 'finance', 'support', 'data']),
    edition: String(edition),
  };
  const body = prose(random, `\n# ${capital(verb)} the ${object}\n`, bodyCharacters);
  const frontmatter = `---
name: ${name}
description: ${JSON.stringify(description)}
license: ${license}
metadata:
  owner: ${metadata.owner}
  edition: "${metadata.edition}"
---
`;
  const files = [{ path: 'SKILL.md', text: `${frontmatter}${body}` }];
  if (index % WITH_FILES === 0) {
    const guide = prose(random, `# Guide to ${name}\n`, GUIDE_CHARACTERS);
    files.push({ path: 'references/guide.md', text: guide });
    files.push({ path: 'scripts/run.mjs', text: `console.log(${JSON.stringify(`${name}: done`)});\n` });
  }
  return { name, description, license, metadata, body, files };
}

/** Skills as a tree that lies nowhere: a file is made when it is read, so that 100,000 skills take no room. */
export function generatedTree(indexes: readonly number[], shape: SkillShape): SourceTree {
  const files = indexes.map((index) => {
    const skill = generateSkill(index, shape);
    return skill.files.map(({ path, text }, at) => ({
      path: `${skill.name}/${path}`,
      size: Buffer.byteLength(text),
      executable: false,
      read: async () => Buffer.from(generateSkill(index, shape).files[at]?.text ?? ''),
    }));
  });
  return { files: files.flat(), diagnostics: [] };
}

/** The first so many. */
export function firstSkills(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function prose(random: Random, heading: string, characters: number): string {
  let text = heading;
  for (let section = 1; text.length < characters; section += 1) {
    const steps = Array.from({ length: 4 }, (_, step) => `${step + 1}. ${random.pick(SENTENCES)}`);
    const opening = `${random.pick(SENTENCES)} ${random.pick(SENTENCES)}`;
    text += `\n## Part ${section}: ${anyWords(random, 2)}\n\n${opening}\n\n${steps.join('\n')}\n`;
  }
  return text;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
