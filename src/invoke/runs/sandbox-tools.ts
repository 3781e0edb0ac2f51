/** Tools that reach nothing but a run's own sandbox: it has no network, and its files are the run's. Nobody has to grant them. */
export const SANDBOX_TOOLS: readonly string[] = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep'];
