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

/**
 * The gate of one run: its organisation's rules as they were at the start, then what the skill declared and its caller
 * granted. Where a rule could only apply to a reading of the command that nobody can make out, a sandboxed tool goes
 * on: all it can reach is its own workspace, and nearly every real script has a variable in it.
 */
export function toolGate({ rules, tools }: Pick<StoredStart, 'rules' | 'tools'>): ToolGate {
  const compiled = compileRules([...rules, ...SANDBOX]);
  return (tool, subject) => {
    const { decision, reason } = decide({ kind: 'tool', tool, input: subject }, compiled, null);
    const doubtOnly = reason.code === 'input_unclear' && SANDBOXED.has(tool);
    if (decision === 'deny') return { decision, reason: reason.text };
    if (decision === 'ask' && !doubtOnly) {
      return { decision, reason: `${reason.text} (a run cannot wait for approval yet)` };
    }
    const use = mayUse(tool, subject, tools.declared, tools.granted);
    return { decision: use.allowed ? 'allow' : 'deny', reason: use.reason };
  };
}
