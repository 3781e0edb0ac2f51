import type { RunList } from '../invoke/runs/run-list.ts';
import { ownerName } from '../store/keys.ts';
import type { OrgObject } from './org-object.ts';

export function durableRunList(namespace: DurableObjectNamespace<OrgObject>): RunList {
  const owner = (organisation: string) => namespace.getByName(ownerName('org', organisation));
  return {
    tell: async (organisation, news) => owner(organisation).noteRun(organisation, news),
    list: async (organisation, boundTo, cursor, limit) =>
      owner(organisation).listRuns(boundTo, cursor, limit),
  };
}
