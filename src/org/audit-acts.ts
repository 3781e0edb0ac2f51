import { type AuditAct, auditName, auditNames } from '../audit/audit-act.ts';
import type { Layer } from '../catalog/layers.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import type { ApprovalDecision, ApprovalSubject } from '../invoke/approval.ts';
import type { HeadMove } from '../publish/ports.ts';
import type { HeldSkill } from '../publish/quarantine.ts';
import { changedSettings } from '../view/settings/changed-settings.ts';
import type { OrgSettings } from '../view/settings/org-settings.ts';
import type { StoredPolicy } from '../view/ports.ts';

/** What the log says of the acts on an organisation's object. */
export function headMovedAct(
  { layer, expected, head, changes, forced = [] }: HeadMove,
  sequence: number,
): AuditAct {
  return {
    act: 'head_moved',
    subject: layer,
    details: {
      sequence,
      before: expected,
      after: head.catalog,
      skills: head.entries,
      added: auditNames(changes.added),
      changed: auditNames(changes.changed),
      removed: auditNames(changes.removed),
      ...(forced.length === 0 ? {} : { forced: auditNames(forced) }),
    },
  };
}

export function settingsChangedAct(
  revision: number,
  before: OrgSettings | null,
  after: OrgSettings,
): AuditAct {
  return {
    act: 'settings_changed',
    subject: 'settings',
    details: { revision, changed: changedSettings(before, after) },
  };
}

export function policyChangedAct(layer: Layer, before: StoredPolicy, after: StoredPolicy): AuditAct {
  return {
    act: 'policy_changed',
    subject: layer,
    details: {
      revision: after.revision,
      rules: after.rules.length,
      before: digestOf(canonicalJson(before.rules)),
      after: digestOf(canonicalJson(after.rules)),
    },
  };
}

/** Of skills that were for one layer. */
export function skillsHeldAct(layer: Layer, held: readonly HeldSkill[]): AuditAct {
  const count = (is: (skill: HeldSkill) => boolean): number => held.filter(is).length;
  return {
    act: 'skills_held',
    subject: layer,
    details: {
      skills: auditNames(held.map(({ entry }) => entry.name)),
      dangerous: count(({ verdict }) => verdict === 'dangerous'),
      unseen: count(({ complete }) => !complete),
    },
  };
}

export function heldSkillJudgedAct(id: string, decision: 'accepted' | 'rejected', held: HeldSkill): AuditAct {
  const { layer, entry, verdict } = held;
  return {
    act: 'held_skill_judged',
    subject: auditName(id),
    details: { decision, skill: auditName(entry.name), layer, revision: entry.revision, verdict },
  };
}

/** Of a key that is sent to others: never what it is. */
export function secretChangedAct(name: string, change: 'put' | 'removed'): AuditAct {
  return { act: 'secret_changed', subject: auditName(name), details: { change } };
}

export function approvalDecidedAct(decision: ApprovalDecision, subject: ApprovalSubject): AuditAct {
  return {
    act: 'approval_decided',
    subject: auditName(decision.id),
    details: {
      decision: decision.approve ? 'approved' : 'denied',
      duration: decision.duration,
      skill: auditName(subject.skill),
      layer: auditName(subject.layer),
      revision: auditName(subject.revision),
    },
  };
}
