import { POLICY_LIMITS, SESSION_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';

export function unknownSession(): Problem {
  return {
    code: 'session_unknown',
    detail: 'there is no such session, or it has expired',
    hint: 'POST /v1/sessions begins one.',
  };
}

export function conflict(detail: string): Problem {
  return { code: 'session_conflict', detail, hint: 'Use a new Idempotency-Key for a new request.' };
}

export function tooManyAgents(): Problem {
  return {
    code: 'bad_request',
    at: 'agent',
    detail: 'this session has as many agents as a session may have',
    hint: 'Begin a session of its own for the others.',
  };
}

export function tooManyNames(): Problem {
  return {
    code: 'bad_request',
    at: 'has',
    detail: `the host has more than ${SESSION_LIMITS.hostCharacters} characters of names by now`,
    hint: 'Leave out what no skill asks for.',
  };
}

export function tooManyRules(): Problem {
  return {
    code: 'bad_request',
    at: 'add',
    detail: `the session would have more than ${POLICY_LIMITS.sessionRules} rules`,
    hint: 'Remove those that are not needed any more.',
  };
}

export function unreadable(): Problem {
  return {
    code: 'storage_unavailable',
    detail: 'a listing index cannot be read now',
    hint: 'Make the same request again in a few seconds.',
  };
}
