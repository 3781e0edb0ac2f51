import type { Problem, ProblemCode } from '../core/problem.ts';

/** The one place where errors become HTTP: `application/problem+json` (RFC 9457) with a stable `code`. */
const STATUS: Record<ProblemCode, readonly [number, string]> = {
  bad_request: [400, 'The request is not valid'],
  body_not_json: [400, 'The body is not JSON'],
  body_too_large: [413, 'The body is too large'],
  unauthenticated: [401, 'No valid token'],
  forbidden: [403, 'The token may not do this'],
  not_found: [404, 'Not found'],
  skill_invalid_name: [400, 'Not a name of a skill'],
  skill_invalid: [422, 'Not a skill that loads'],
  skill_unknown: [404, 'Unknown skill'],
  skill_not_prompt: [422, 'A command, and not a skill'],
  skill_model_invocation_disabled: [403, 'Models may not start this skill'],
  skill_denied: [403, 'The skill is denied'],
  skill_requirement_missing: [409, 'The host lacks what the skill needs'],
  skill_remote_unknown: [404, 'Unknown remote skill'],
  skill_remote_unsupported: [422, 'The remote skill cannot be used here'],
  skill_remote_mismatch: [502, 'The remote skill is not what its registry says'],
  skill_remote_unavailable: [502, 'The registry is not available'],
  shell_command_refused: [403, 'A command of the skill may not run'],
  shell_command_failed: [422, 'A command of the skill failed'],
  invocation_changed: [409, 'The invocation is another one now'],
  rule_invalid: [400, 'Not a rule'],
  scope_invalid: [400, 'The scope is not valid'],
  digest_mismatch: [422, 'The bytes are not what their digest says'],
  blob_missing: [422, 'A blob is missing'],
  blob_too_large: [413, 'A blob is too large'],
  push_invalid: [422, 'The push is not valid'],
  head_moved: [409, 'Somebody else published'],
  publish_conflict: [409, 'The skill is another one now'],
  publish_rejected: [422, 'Rejected'],
  quarantine_unknown: [404, 'Unknown in the quarantine'],
  catalog_stale: [409, 'The catalog is not known here'],
  settings_conflict: [412, 'The settings were changed'],
  approval_unknown: [404, 'Unknown approval'],
  approval_spent: [409, 'The approval is used'],
  run_unknown: [404, 'Unknown run'],
  run_conflict: [409, 'Another run has this key'],
  run_refused: [422, 'The run cannot start'],
  run_not_waiting: [409, 'The run does not wait for this'],
  session_unknown: [404, 'Unknown session'],
  session_conflict: [409, 'Another request has this key'],
  session_moved: [409, 'The session moved on'],
  model_unknown: [422, 'Unknown model'],
  secret_unknown: [404, 'Unknown secret'],
  secret_limit: [409, 'Too many secrets'],
  secrets_unavailable: [503, 'Secrets cannot be kept here'],
  storage_unavailable: [503, 'Storage is not available'],
  internal: [500, 'Internal error'],
};

/** A part of what is stored cannot be read now, and half an answer would look like a whole one. */
export function unreadable(what: string): Problem {
  return {
    code: 'storage_unavailable',
    detail: `${what} cannot be read now`,
    hint: 'Try again in a few seconds.',
  };
}

export function problemResponse(problem: Problem, requestId: string): Response {
  const [status, title] = STATUS[problem.code];
  const { code, detail, hint, at, errorCode, data } = problem;
  const body = {
    type: `urn:skilledge:problem:${code}`,
    title,
    status,
    code,
    detail,
    ...(hint === undefined ? {} : { hint }),
    ...(at === undefined ? {} : { at }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(data === undefined ? {} : { data }),
    requestId,
  };
  const headers: Record<string, string> = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 503) headers['Retry-After'] = '5';
  return new Response(JSON.stringify(body), { status, headers });
}
