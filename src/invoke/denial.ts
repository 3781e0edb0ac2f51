import { type AuditReport, auditName } from '../audit/audit-act.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import type { Problem } from '../core/problem.ts';
import type { RuleLayer } from '../policy/rule.ts';
import { actorOf, type Principal } from '../view/principal.ts';
import { isDenial } from './report-activation.ts';
import type { PreparedSkill } from './prepare-skill.ts';

/** Whose rules stand somewhere. The others come with a request, and with them whatever it wrote into them. */
const STANDING: ReadonlySet<RuleLayer> = new Set(['deployment', 'organisation', 'project', 'user']);

/** What the audit log is told of a skill that somebody wanted and was denied; null for every other problem. */
export function denialReport(
  principal: Principal,
  { found, answer }: Pick<PreparedSkill, 'found' | 'answer'>,
  problem: Problem,
  at: number,
): AuditReport | null {
  if (!isDenial(problem.code)) return null;
  const { entry, layer } = found;
  const { reason, rule, ruleLayer } = causeOf(answer, problem);
  const named = ruleLayer !== null && STANDING.has(ruleLayer) ? rule : null;
  const actor = actorOf(principal);
  const act = {
    act: 'skill_denied' as const,
    subject: auditName(`${layer.layer}/${entry.name}`),
    details: {
      revision: entry.revision,
      code: problem.code,
      reason,
      rule: named === null ? null : auditName(named),
      ruleLayer,
      unrecorded: 0,
    },
  };
  return { key: digestOf(canonicalJson({ actor, ...act })), at, times: 1, actor, act };
}

interface Cause {
  readonly reason: string;
  readonly rule: string | null;
  readonly ruleLayer: RuleLayer | null;
}

function causeOf({ decision }: PreparedSkill['answer'], { code }: Problem): Cause {
  // The skill itself was allowed, and its commands are nobody's business here.
  if (code === 'shell_command_refused') return { reason: 'command_refused', rule: null, ruleLayer: null };
  const { reason, matchedRule: rule, layer: ruleLayer } = decision;
  // Asked, and the answer was no.
  const byPerson = decision.decision === 'ask' && code === 'skill_denied';
  return { reason: byPerson ? 'person_denied' : reason.code, rule, ruleLayer };
}
