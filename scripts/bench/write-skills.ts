import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generateSkill, USUAL_SHAPE } from './generate-skills.ts';

/** Writes the first `count` skills below `directory`, and returns their names in order. */
export function writeSkills(directory: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, files } = generateSkill(index, USUAL_SHAPE);
    for (const { path, text } of files) {
      const file = join(directory, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return name;
  });
}
