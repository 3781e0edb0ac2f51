import { type AuditReport, auditName } from '../../audit/audit-act.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { digestOf } from '../../core/digest.ts';
import { newId } from '../../core/ids.ts';
import { actorOf, type Principal } from '../../view/principal.ts';
import type { RuleCall } from './session-contract.ts';

/**
 * What the audit log is told of changed rules of a session. The same call, made again with its key, makes the same report,
 * so that one whose answer was lost is told of once.
 */
export function sessionRulesReport(
  principal: Principal,
  session: string,
  { add, remove, endTurn, idempotencyKey }: RuleCall,
  at: number,
): AuditReport {
  const act = {
    act: 'session_rules_changed' as const,
    subject: auditName(session),
    details: {
      added: add.length,
      allowing: add.filter(({ effect }) => effect === 'allow').length,
      removed: remove.length,
      endedTurn: endTurn,
    },
  };
  const key = digestOf(canonicalJson([act.act, session, idempotencyKey ?? newId('req')]));
  return { key, at, times: 1, actor: actorOf(principal), act };
}
