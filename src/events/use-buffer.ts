import { USAGE_LIMITS } from '../core/limits.ts';
import type { SkillUse } from '../invoke/skill-use.ts';
import { type BufferOptions, ReportBuffer } from './report-buffer.ts';

/** Uses of one isolate. So soon after each other, several uses of one skill count as one. */
export class UseBuffer extends ReportBuffer<SkillUse> {
  constructor(tell: BufferOptions<SkillUse>['tell'], milliseconds: number = USAGE_LIMITS.flushMilliseconds) {
    super({
      tell,
      // No layer has a slash in it, and no organisation.
      keyOf: ({ layer, name }) => `${layer}/${name}`,
      merge: (older, newer) => (older.at >= newer.at ? older : newer),
      most: USAGE_LIMITS.bufferedSkills,
      milliseconds,
      lost: { event: 'uses_lost', what: 'uses' },
    });
  }
}
