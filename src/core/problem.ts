/**
 * Every way a request or a source tree can be refused. `http/problem.ts` gives each its status and title; the exhaustive
 * record there fails to compile when a code is added here and not there.
 */
export type ProblemCode =
  | 'bad_request'
  | 'body_not_json'
  | 'body_too_large'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'skill_invalid_name'
  | 'skill_invalid'
  | 'skill_unknown'
  | 'skill_not_prompt'
  | 'skill_model_invocation_disabled'
  | 'skill_denied'
  | 'skill_requirement_missing'
  | 'skill_remote_unknown'
  | 'skill_remote_unsupported'
  | 'skill_remote_mismatch'
  | 'skill_remote_unavailable'
  | 'shell_command_refused'
  | 'shell_command_failed'
  | 'invocation_changed'
  | 'rule_invalid'
  | 'scope_invalid'
  | 'digest_mismatch'
  | 'blob_missing'
  | 'blob_too_large'
  | 'push_invalid'
  | 'head_moved'
  | 'publish_conflict'
  | 'publish_rejected'
  | 'quarantine_unknown'
  | 'catalog_stale'
  | 'settings_conflict'
  | 'approval_unknown'
  | 'approval_spent'
  | 'run_unknown'
  | 'run_conflict'
  | 'run_refused'
  | 'run_not_waiting'
  | 'session_unknown'
  | 'session_conflict'
  | 'session_moved'
  | 'model_unknown'
  | 'secret_unknown'
  | 'secret_limit'
  | 'secrets_unavailable'
  | 'storage_unavailable'
  | 'internal';

/** An error as a value. `detail` says what was wrong, `hint` what to do, `at` where (`file:line` or a JSON path). */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly hint?: string;
  readonly at?: string;
  /** The field's numbers for skill tool errors: 1 format, 2 unknown, 4 model invocation disabled, 5 not a prompt, 6 remote. */
  readonly errorCode?: 1 | 2 | 4 | 5 | 6;
  /** Facts for machines, such as the head that a compare-and-swap met. */
  readonly data?: Readonly<Record<string, Fact | readonly string[] | readonly Facts[]>>;
}

/** Nested no deeper than this: what has no end has no type on its way out of a Durable Object. */
type Fact = string | number | boolean | null;
type Facts = Readonly<Record<string, Fact | readonly string[]>>;
