import type { Approvals } from '../invoke/approval.ts';
import type { Quarantine } from '../publish/quarantine.ts';
import { ownerName } from '../store/keys.ts';
import type { SkillUse } from '../invoke/skill-use.ts';
import type { AuditLog, Organisations, Policies, UsageCounts } from '../view/ports.ts';
import type { OrgObject } from './org-object.ts';

export function durableApprovals(namespace: DurableObjectNamespace<OrgObject>): Approvals {
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    ask: async (organisation, question) => owner(organisation).askApproval(organisation, question),
    list: async (organisation, query) => [...(await owner(organisation).approvals(query))],
    decide: async (organisation, decision) => owner(organisation).decideApproval(organisation, decision),
    look: async (organisation, id, subject, session) =>
      owner(organisation).coveringApproval(id, subject, session),
    use: async (organisation, id, subject, session, run) =>
      owner(organisation).spendApproval(id, subject, session, run),
  };
}

export function durableOrganisations(namespace: DurableObjectNamespace<OrgObject>): Organisations {
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    settings: async (organisation) => owner(organisation).settings(),
    putSettings: async (organisation, settings, expected, by) =>
      owner(organisation).putSettings(organisation, settings, expected, by),
  };
}

export function durablePolicies(namespace: DurableObjectNamespace<OrgObject>): Policies {
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    read: async (organisation, layer) => owner(organisation).policy(layer),
    put: async (organisation, change) => owner(organisation).putPolicy(organisation, change),
  };
}

/** What is held is its publisher's organisation's, whatever layer it was for. */
export function durableQuarantine(namespace: DurableObjectNamespace<OrgObject>): Quarantine {
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    hold: async (organisation, skills, by) => [
      ...(await owner(organisation).holdSkills(organisation, skills, by)),
    ],
    look: async (organisation, ids) => [...(await owner(organisation).lookHeld(ids))],
    list: async (organisation, query) => [...(await owner(organisation).listHeld(query))],
    read: async (organisation, id) => owner(organisation).readHeld(id),
    decide: async (organisation, answer) => owner(organisation).judgeHeld(organisation, answer),
    published: async (organisation, id, catalog) => owner(organisation).noteHeldPublished(id, catalog),
  };
}

/** Uses are of an organisation: those of the shared layer's skills, too, are counted by its own object. */
export function durableUsage(namespace: DurableObjectNamespace<OrgObject>): UsageCounts & {
  record(organisation: string, uses: readonly SkillUse[]): Promise<void>;
} {
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    most: async (organisation, layers, after, limit) => [
      ...(await owner(organisation).mostUsed(layers, after, limit)),
    ],
    record: async (organisation, uses) => owner(organisation).recordUses(organisation, uses),
  };
}

export function durableAudit(namespace: DurableObjectNamespace<OrgObject>): AuditLog {
  return {
    // An object has the name of its space.
    page: async (space, after, limit) => namespace.getByName(space).auditPage(space, after, limit),
    record: async (organisation, reports) =>
      namespace.getByName(ownerName('org', organisation)).recordReports(organisation, reports),
  };
}
