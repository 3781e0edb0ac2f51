import { SANDBOX_TOOLS } from '../invoke/runs/sandbox-tools.ts';
import { compileRules, decide } from '../policy/decide.ts';
import { mayUse } from '../policy/grants.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { specifierKind } from '../policy/tool-kind.ts';
import { WORKSPACE_ROOT } from '../sandbox/workspace.ts';

/** Whether a tool may be called with this subject: for Bash the command, for files the absolute path. `ask`: a person says. */
export type ToolGate = (
  tool: string,
  subject: string,
) => { decision: 'allow' | 'deny' | 'ask'; reason: string };

/** What the gate of a run goes by. */
export interface GatedRun {
  readonly rules: readonly PolicyRule[];
  readonly tools: { readonly declared: readonly string[]; readonly granted: readonly string[] };
}

/** What the deployment itself allows in a run. */
const SANDBOX_RULES: readonly PolicyRule[] = SANDBOX_TOOLS.map((pattern) => ({
  effect: 'allow',
  pattern,
  layer: 'deployment',
  reason: 'sandboxed tool: no network, own workspace',
}));

/**
 * The gate of one run: its organisation's rules as they were at the start, and what the skill declared and its caller
 * granted. Where a rule could only apply to a reading of the command that nobody can make out, a sandboxed tool goes
 * on: all it can reach is its own workspace, and nearly every real script has a variable in it. Nobody is asked about what
 * was not declared and granted.
 */
export function toolGate({ rules, tools }: GatedRun): ToolGate {
  const compiled = compileRules([...rules, ...SANDBOX_RULES]);
  return (tool, subject) => {
    const spellings = spellingsOf(tool, subject);
    const decisions = spellings.map((input) => decide({ kind: 'tool', tool, input }, compiled, null));
    const denied = decisions.find(({ decision }) => decision === 'deny');
    if (denied) return { decision: 'deny', reason: denied.reason.text };
    const uses = spellings.map((input) => mayUse(tool, input, tools.declared, tools.granted));
    const use = uses.find(({ allowed }) => allowed) ?? uses[0];
    if (use?.allowed !== true) return { decision: 'deny', reason: use?.reason ?? 'nothing allows it' };
    const asked = decisions.find(
      ({ decision, reason }) =>
        decision === 'ask' && !(reason.code === 'input_unclear' && SANDBOX_TOOLS.includes(tool)),
    );
    if (asked) return { decision: 'ask', reason: asked.reason.text };
    return { decision: 'allow', reason: use.reason };
  };
}

/** A path of the workspace also goes by its relative one: `Write(reports/**)` and `Write(/workspace/reports/**)` are one. */
function spellingsOf(tool: string, subject: string): string[] {
  const prefix = `${WORKSPACE_ROOT}/`;
  const inside = specifierKind(tool) === 'path' && subject.startsWith(prefix);
  return inside ? [subject, subject.slice(prefix.length)] : [subject];
}
