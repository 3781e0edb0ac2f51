import type { Result } from '../core/result.ts';
import type { FoundSkill } from '../view/find-skill.ts';
import type { View } from '../view/view.ts';

/** The skills of the deployment's canonical registry: the same for all of its tenants, and in nobody's listing. */
export interface RemoteSkills {
  /**
   * The skill that the registry has under `name`, which begins with `_canonical_`; its files are in the organisation's own
   * space afterwards. `revision`: only that one. Every error is one of `skill_remote_...`, with the error code 6.
   */
  find(view: View, name: string, revision: string | undefined): Promise<Result<FoundSkill>>;
}
