import { fenceCode, fencesOf } from '../text/fences.ts';

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'shell']);

/**
 * The fenced shell blocks of a skill's body, in order: its steps, for an engine that executes them. Take them from the
 * body as its author wrote it and fill in arguments afterwards: an argument may contain a fence, and must not become a step.
 */
export function shellBlocks(body: string): string[] {
  return fencesOf(body)
    .filter(({ language }) => SHELLS.has(language))
    .map((fence) => fenceCode(body, fence))
    .filter((code) => code.trim() !== '');
}
