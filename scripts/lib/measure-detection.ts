import { detectInMessage, triggerableSkills } from '../../src/invoke/detect-in-message.ts';
import { mergeListing } from '../../src/view/listing/merge-listing.ts';
import { REQUESTS } from '../../test/search/requests.ts';
import { viewOver } from '../../test/view/listing-views.ts';
import { compileCorpora } from './corpora-entries.ts';
import { CORPORA } from './measure-retrieval.ts';

export interface Detection {
  readonly skills: number;
  /** Skills with at least one trigger phrase. */
  readonly triggerable: number;
  readonly requests: number;
  /** Requests whose right skill is the first candidate, or one of them; that have another first; that have none. */
  readonly first: number;
  readonly among: number;
  readonly otherFirst: number;
  readonly none: number;
  readonly milliseconds: number;
}

/** Detects the skills of the corpora in every request, as the deployment does; null without corpora. */
export async function measureDetection(root: string): Promise<Detection | null> {
  const corpora = await compileCorpora(root, CORPORA);
  if (!corpora) return null;
  const { view, blobs } = viewOver([['org', corpora.entries]]);
  const merged = await mergeListing(blobs, view);
  if (!merged) throw new Error('no listing of the corpora');
  const skills = triggerableSkills(merged);
  const moment = { paths: [], platform: null, product: null };
  const started = performance.now();
  const answers = REQUESTS.map(([message, right]) => {
    const names = detectInMessage(skills, message, moment).candidates.map(({ skill }) => skill.entry.name);
    return { first: names[0], right, among: names.includes(right) };
  });
  const milliseconds = (performance.now() - started) / REQUESTS.length;
  return {
    skills: corpora.entries.length,
    triggerable: skills.skills.length,
    requests: REQUESTS.length,
    first: answers.filter(({ first, right }) => first === right).length,
    among: answers.filter(({ among }) => among).length,
    otherFirst: answers.filter(({ first, right }) => first !== undefined && first !== right).length,
    none: answers.filter(({ first }) => first === undefined).length,
    milliseconds,
  };
}
