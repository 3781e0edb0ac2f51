import { z } from 'zod';

const McpServer = z.strictObject({
  name: z.string(),
  description: z.string().nullable(),
  transport: z.string().nullable(),
  url: z.string().nullable(),
  command: z.string().nullable(),
});

/**
 * What a skill needs around it, whichever system's words it was written in. It says only what to check for: nothing in
 * here grants anything.
 */
export const Requires = z.strictObject({
  /** Environment variables. An optional one makes the skill better; the others make it work. */
  env: z.array(
    z.strictObject({ name: z.string(), description: z.string().nullable(), optional: z.boolean() }),
  ),
  /** Programs on the path: every one of `all`, and one of each group of `any`. */
  bins: z.strictObject({ all: z.array(z.string()), any: z.array(z.array(z.string())) }),
  /** Tools of the agent by name, or tool sets. */
  tools: z.array(z.string()),
  mcpServers: z.array(McpServer),
  /** Settings that have to be set, by their key. */
  config: z.array(z.string()),
  /** One of these: `macos`, `linux`, `windows`, or what else the author wrote. Empty means any. */
  platforms: z.array(z.string()),
  /** Other skills by name. */
  skills: z.array(z.string()),
});
export type Requires = z.infer<typeof Requires>;
export type McpServer = z.infer<typeof McpServer>;
