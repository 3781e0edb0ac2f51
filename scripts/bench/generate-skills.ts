import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
const DESCRIPTION_CHARACTERS = 165;
const BODY_CHARACTERS = 3_000;
const GUIDE_CHARACTERS = 4_000;
/** Every so many skills, one has files besides SKILL.md. */
const WITH_FILES = 5;

/** Writes `count` skills below `directory`, the same ones each time, and returns their names in order. */
export function generateSkills(directory: string, count: number): string[] {
  const pick = picker(20_261_130);
  return Array.from({ length: count }, (_, index) => {
    const [verb, object] = [pick(VERBS), pick(OBJECTS)];
    const name = `${verb}-${object}-${String(index).padStart(5, '0')}`;
    const folder = join(directory, name);
    mkdirSync(folder, { recursive: true });
    const heading = `\n# ${capital(verb)} the ${object}\n`;
    const body = prose(pick, heading, BODY_CHARACTERS);
    writeFileSync(join(folder, 'SKILL.md'), `${frontmatter(pick, name, verb, object)}${body}`);
    if (index % WITH_FILES === 0) {
      mkdirSync(join(folder, 'references'));
      mkdirSync(join(folder, 'scripts'));
      writeFileSync(
        join(folder, 'references/guide.md'),
        prose(pick, `# Guide to ${name}\n`, GUIDE_CHARACTERS),
      );
      writeFileSync(join(folder, 'scripts/run.mjs'), `console.log(${JSON.stringify(`${name}: done`)});\n`);
    }
    return name;
  });
}

type Pick = <Item>(items: readonly Item[]) => Item;

function frontmatter(pick: Pick, name: string, verb: string, object: string): string {
  let description = `${capital(verb)} the ${object} step by step. Use when ${pick(REASONS)}.`;
  while (description.length < DESCRIPTION_CHARACTERS - 40) description += ` Also when ${pick(REASONS)}.`;
  return `---
name: ${name}
description: ${JSON.stringify(description)}
license: Apache-2.0
metadata:
  owner: ${pick(['platform', 'finance', 'support', 'data'])}
  reviewed: "2026-${pick(['03', '06', '09'])}"
---
`;
}

function prose(pick: Pick, heading: string, characters: number): string {
  let text = heading;
  for (let section = 1; text.length < characters; section += 1) {
    const steps = Array.from({ length: 4 }, (_, step) => `${step + 1}. ${pick(SENTENCES)}`);
    text += `\n## Part ${section}\n\n${pick(SENTENCES)} ${pick(SENTENCES)}\n\n${steps.join('\n')}\n`;
  }
  return text;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Chooses at random, but the same each time: a linear congruential generator is good enough for words. */
function picker(seed: number): Pick {
  let state = seed;
  return (items) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const item = items[Math.floor((state / 2 ** 32) * items.length)];
    if (item === undefined) throw new RangeError('nothing to choose from');
    return item;
  };
}
