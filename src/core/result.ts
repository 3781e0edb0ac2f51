import type { Problem } from './problem.ts';

/** A value or an error, both as data: nothing below the doors throws for bad input. */
export type Result<Value, Failure = Problem> = { ok: true; value: Value } | { ok: false; error: Failure };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function fail<Failure>(error: Failure): { ok: false; error: Failure } {
  return { ok: false, error };
}
