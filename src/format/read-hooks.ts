import { z } from 'zod';
import type { Json } from '../core/canonical-json.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import type { FrontmatterKey } from './frontmatter-key.ts';

const once = z.boolean().optional();
const timeout = z.number().positive().optional();

/** The five ways a hook can act (Claude Code's hook types). Unknown members of a hook are kept out, not passed on. */
const HookAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('command'),
    command: z.string().min(1),
    shell: z.string().optional(),
    timeout,
    once,
  }),
  z.object({
    type: z.literal('prompt'),
    prompt: z.string().min(1),
    model: z.string().optional(),
    timeout,
    once,
  }),
  z.object({
    type: z.literal('agent'),
    prompt: z.string().min(1),
    model: z.string().optional(),
    timeout,
    once,
  }),
  z.object({
    type: z.literal('http'),
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).optional(),
    timeout,
    once,
  }),
  z.object({
    type: z.literal('mcp_tool'),
    server: z.string().min(1),
    tool: z.string().min(1),
    timeout,
    once,
  }),
]);

const HookGroup = z.object({ matcher: z.string().optional(), hooks: z.array(HookAction).min(1) });

/** Event name -> groups of a matcher and its actions. */
export const HooksSchema = z.record(z.string(), z.array(HookGroup));
export type Hooks = z.infer<typeof HooksSchema>;

/** A hook with a wrong schema is left out and reported; the skill and its other hooks load. */
export function readHooks(
  entry: FrontmatterKey | undefined,
  path: string,
): { hooks: Hooks | null; diagnostics: Diagnostic[] } {
  if (!entry || entry.value === null) return { hooks: null, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const remark = (where: string, message: string): void => {
    diagnostics.push(diagnostic('hooks-invalid', path, entry.line, `hooks${where}: ${message}`));
  };
  if (typeof entry.value !== 'object' || Array.isArray(entry.value)) {
    remark('', 'not a map of events');
    return { hooks: null, diagnostics };
  }
  const hooks: [string, z.infer<typeof HookGroup>[]][] = [];
  for (const [event, groups] of Object.entries(entry.value)) {
    if (!Array.isArray(groups)) {
      remark(`.${event}`, 'not a list');
      continue;
    }
    const valid = groups.flatMap((group: Json, index) => {
      const parsed = HookGroup.safeParse(group);
      const issue = parsed.error?.issues[0];
      if (issue) remark(`.${event}[${index}].${issue.path.join('.')}`, issue.message);
      return parsed.success ? [parsed.data] : [];
    });
    if (valid.length > 0) hooks.push([event, valid]);
  }
  return { hooks: hooks.length > 0 ? Object.fromEntries(hooks) : null, diagnostics };
}
