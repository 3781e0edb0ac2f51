import type { Fetch } from '../core/public-fetch.ts';
import type { Result } from '../core/result.ts';

/** What tools use of the world outside of the sandbox. */
export interface ToolPorts {
  readonly fetch: Fetch;
  /** A secret of an organisation, for who sends it to `origin`. Errors: text that says why there is none. */
  secret(organisation: string, name: string, origin: string): Promise<Result<string, string>>;
  /** Whether servers of the organisation may be on private addresses: on somebody's own machine alone. */
  readonly allowsLocal: boolean;
}
