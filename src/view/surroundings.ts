import type { ViewRecord } from './view-record.ts';

/** What is as it is now, and not as it was when the session began: settings, rules, switches. */
export interface Surroundings {
  /** The record of the layer `org`. */
  readonly organisation: ViewRecord | null;
  readonly flags: readonly string[];
  /** Records of the session's own layers that can have rules; not there where no decision is made. */
  readonly policies?: readonly ViewRecord[];
}
