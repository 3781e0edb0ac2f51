import { coverOf, type Pattern, parsePattern, patternsMeet } from './pattern.ts';
import { readCall } from './tool-call.ts';

/**
 * Splits what a skill declares by what its caller grants, in the declared order. Declared patterns are a request: one is
 * missing when no grant covers any part of it. A narrower grant counts, and `mayUse` then holds the calls to it. What
 * cannot be read is missing when declared, and nothing when granted.
 */
export function resolveTools(
  declared: readonly string[],
  grants: readonly string[],
): { granted: string[]; missing: string[] } {
  const given = readPatterns(grants);
  const granted: string[] = [];
  const missing: string[] = [];
  for (const text of new Set(declared)) {
    const pattern = parsePattern(text);
    const met = pattern.ok && given.some((grant) => patternsMeet(grant, pattern.value));
    (met ? granted : missing).push(text);
  }
  return { granted, missing };
}

/**
 * Whether a forked run may make this call: it must match what was declared and what was granted, for Bash each simple
 * command of it on both sides. `reason` says which side refused.
 */
export function mayUse(
  tool: string,
  input: string,
  declared: readonly string[],
  grants: readonly string[],
): { allowed: boolean; reason: string } {
  const call = readCall({ tool, input });
  const unread =
    call.parts === null ? ' (the input was not understood, so only the whole tool would do)' : '';
  if (coverOf(readPatterns(declared), call) === null) {
    return { allowed: false, reason: `the skill does not declare this use of ${tool}${unread}` };
  }
  if (coverOf(readPatterns(grants), call) === null) {
    return { allowed: false, reason: `the caller does not grant this use of ${tool}${unread}` };
  }
  return { allowed: true, reason: `${tool} is declared and granted` };
}

function readPatterns(texts: readonly string[]): Pattern[] {
  return texts.flatMap((text) => {
    const pattern = parsePattern(text);
    return pattern.ok ? [pattern.value] : [];
  });
}
