import type * as JustBash from 'just-bash/browser';

export type Shell = typeof JustBash;

/** just-bash, loaded when a run first needs it: a listing must not pay for a shell. */
export async function loadShell(): Promise<Shell> {
  return import('just-bash/browser');
}

/** The syntax tree of a script, as just-bash parses it, or `null` where it does not parse. */
export async function parseScript(
  script: string,
): Promise<ReturnType<JustBash.Bash['transform']>['ast'] | null> {
  const { Bash } = await loadShell();
  try {
    return new Bash({ commands: [], executionLimitProfile: 'hardened' }).transform(script).ast;
  } catch {
    return null;
  }
}
