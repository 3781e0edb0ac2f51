/** `${...}` in a body. Without a session its variable stays as it is: an invented id would mislead. */
export function promptVariables(directory: string, session: string | null): Record<string, string> {
  return { CLAUDE_SKILL_DIR: directory, ...(session === null ? {} : { CLAUDE_SESSION_ID: session }) };
}
