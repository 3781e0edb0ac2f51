import type { Problem } from '../../core/problem.ts';
import type { SessionAddress, SessionPins } from './session-contract.ts';

/** A session as a call about a skill meets it. */
export interface SessionScene {
  readonly address: SessionAddress;
  readonly pins: SessionPins;
  /** False where the pins come from an isolate's memory: the session may have moved on since. */
  readonly fresh: boolean;
}

/** The call has to be made again with the pins of now: nothing has come of it. */
export function sessionMoved(): Problem {
  return {
    code: 'session_moved',
    detail: 'the session moved to other catalogs, or its host was told anew, while it was used',
    hint: 'Make the same request again.',
  };
}
