import { compileRules, decide } from '../policy/decide.ts';
import { mayUse } from '../policy/grants.ts';
import type { PolicyRule } from '../policy/rule.ts';
import type { StoredStart } from './journal.ts';

/** Whether a tool may be called with this subject, for Bash the command. `ask` is a refusal until runs can wait. */
export type ToolGate = (
  tool: string,
  subject: string,
) => { decision: 'allow' | 'deny' | 'ask'; reason: string };

/** What the deployment itself allows in a run: tools that cannot reach anything but the run. */
const SANDBOX: readonly PolicyRule[] = [
  {
    effect: 'allow',
    pattern: 'Bash',
    layer: 'deployment',
    reason: 'sandboxed tool: no network, own workspace',
  },
];
const SANDBOXED: ReadonlySet<string> = new Set(SANDBOX.map((rule) => rule.pattern));

/** The gate of one run: its organisation's rules as they were at the start, and what it declared and was granted. */
export function toolGate({ rules, tools }: Pick<StoredStart, 'rules' | 'tools'>): ToolGate {
  const compiled = compileRules([...rules, ...SANDBOX]);
  return (tool, subject) => {
    const { decision, reason } = decide({ kind: 'tool', tool, input: subject }, compiled, null);
    if (decision === 'ask')
      return { decision, reason: `${reason.text} (a run cannot wait for approval yet)` };
    if (decision === 'deny' || SANDBOXED.has(tool)) return { decision, reason: reason.text };
    const use = mayUse(tool, subject, tools.declared, tools.granted);
    return { decision: use.allowed ? 'allow' : 'deny', reason: use.reason };
  };
}
