import type { Digest } from '../core/digest.ts';
import type { Problem } from '../core/problem.ts';
import { nearestNames } from '../view/nearest-names.ts';
import { REMOTE_PREFIX } from '../invoke/skill-name.ts';

export function unknownRemote(name: string, detail: string, names: readonly string[] = []): Problem {
  const nearest = nearestNames(name.slice(REMOTE_PREFIX.length), names).map(
    (near) => `${REMOTE_PREFIX}${near}`,
  );
  const hint = 'A skill of the registry is named _canonical_NAME, with a NAME from its index.';
  return {
    code: 'skill_remote_unknown',
    errorCode: 6,
    detail,
    hint:
      nearest.length === 0
        ? hint
        : `Perhaps ${nearest.map((near) => JSON.stringify(near)).join(' or ')} is meant. ${hint}`,
    ...(nearest.length === 0 ? {} : { data: { nearest } }),
  };
}

export function unsupportedRemote(reason: string): Problem {
  return {
    code: 'skill_remote_unsupported',
    errorCode: 6,
    detail: `the registry has this skill, but ${reason}`,
    hint: 'A remote skill is one SKILL.md. Push the skill to a layer instead: see npm run push.',
  };
}

export function mismatch(expected: Digest, actual: Digest): Problem {
  return {
    code: 'skill_remote_mismatch',
    errorCode: 6,
    detail: 'what the registry serves is not what its index says of it; nothing of it was kept',
    hint: 'Try again; if it stays so, tell whoever runs the registry.',
    data: { expected, actual },
  };
}

export function unavailable(detail: string): Problem {
  return {
    code: 'skill_remote_unavailable',
    errorCode: 6,
    detail: `the registry: ${detail}`,
    hint: 'Try again in a few seconds; if it stays so, tell whoever runs the deployment or the registry.',
  };
}
