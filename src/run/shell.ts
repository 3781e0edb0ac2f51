import type * as JustBash from 'just-bash/browser';

export type Shell = typeof JustBash;

/** just-bash, loaded when a run first needs it: a listing must not pay for a shell. */
export async function loadShell(): Promise<Shell> {
  return import('just-bash/browser');
}

/**
 * Commands that just-bash registers but whose implementation needs more of `node:zlib` than workerd has. They are not
 * offered, so that a script that needs one is told so before it starts.
 */
const BROKEN_IN_WORKERD: ReadonlySet<string> = new Set(['gzip', 'gunzip', 'zcat']);

/** The commands that a script can call here, without the shell's own builtins. */
export function offeredCommands(shell: Shell): string[] {
  return shell.getCommandNames().filter((name) => !BROKEN_IN_WORKERD.has(name));
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
