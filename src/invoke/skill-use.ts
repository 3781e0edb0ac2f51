import type { Layer } from '../catalog/layers.ts';

/** A skill that was really used: handed out inline, or started as a run. Not who used it, nor for what. */
export interface SkillUse {
  readonly layer: Layer;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Takes notice of uses for the request at hand: never waited for, and never a reason for it to fail. */
export interface UseLog {
  record(organisation: string, use: SkillUse): void;
}
