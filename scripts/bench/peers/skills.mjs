import { generateSkill, USUAL_SHAPE } from '../generate-skills.ts';

/** The very skills that the product serves in the run; SKILLS is how many, and comes from the benchmark. */
export function skillsOf(env) {
  return Array.from({ length: env.SKILLS }, (_, index) => generateSkill(index, USUAL_SHAPE));
}
