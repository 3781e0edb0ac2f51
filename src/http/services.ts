import { DenialBuffer } from '../events/denial-buffer.ts';
import { eventLog } from '../events/event-log.ts';
import { UseBuffer } from '../events/use-buffer.ts';
import type { Approvals } from '../invoke/approval.ts';
import type { EventLog } from '../invoke/event.ts';
import type { RunList } from '../invoke/runs/run-list.ts';
import type { Runs } from '../invoke/runs/run-contract.ts';
import type { Sessions } from '../invoke/sessions/session-contract.ts';
import type { SkillShell } from '../invoke/render/shell-contract.ts';
import { durableCatalogs } from '../org/durable-catalogs.ts';
import {
  durableApprovals,
  durableAudit,
  durableOrganisations,
  durablePolicies,
  durableQuarantine,
  durableUsage,
} from '../org/durable-organisation.ts';
import { durableSecrets } from '../org/durable-secrets.ts';
import type { BlobWriter, Catalogs } from '../publish/ports.ts';
import type { Quarantine } from '../publish/quarantine.ts';
import type { RemoteSkills } from '../invoke/remote-skills.ts';
import { CanonicalRegistry } from '../registry/canonical-registry.ts';
import { durableRunList } from '../org/durable-run-list.ts';
import { durableRuns } from '../run/durable-runs.ts';
import { skillShell } from '../sandbox/skill-shell.ts';
import { deploymentSecret } from '../secret/deployment-secret.ts';
import { durableSearch } from '../search/durable-search.ts';
import { durableSessions } from '../session/durable-sessions.ts';
import { blobStore } from '../store/blob-store.ts';
import { blobWriter } from '../store/blob-writer.ts';
import { pastRevisions } from '../store/past-revisions.ts';
import { records } from '../store/records.ts';
import type {
  AuditLog,
  BlobStore,
  Organisations,
  PastRevisions,
  Policies,
  Records,
  Secrets,
  SkillSearch,
  UsageCounts,
} from '../view/ports.ts';

/** The ports that the use cases need, each with the adapter of this platform. */
export interface Services {
  readonly records: Records;
  readonly blobs: BlobStore;
  readonly past: PastRevisions;
  readonly remote: RemoteSkills;
  readonly writer: BlobWriter;
  readonly catalogs: Catalogs;
  readonly quarantine: Quarantine;
  readonly approvals: Approvals;
  readonly organisations: Organisations;
  readonly policies: Policies;
  readonly secrets: Secrets;
  readonly runs: Runs;
  readonly runList: RunList;
  readonly sessions: Sessions;
  readonly shell: SkillShell;
  readonly search: SkillSearch;
  readonly usage: UsageCounts;
  readonly useBuffer: UseBuffer;
  readonly audit: AuditLog;
  readonly denialBuffer: DenialBuffer;
  readonly events: EventLog;
}

const made = new WeakMap<Env, Services>();

/** Made once for an environment; but for the buffers, the adapters hold nothing but bindings. */
export function servicesFor(env: Env): Services {
  const known = made.get(env);
  if (known) return known;
  const usage = durableUsage(env.ORG);
  const audit = durableAudit(env.ORG);
  const blobs = blobStore(env);
  const writer = blobWriter(env);
  const services: Services = {
    records: records(env),
    blobs,
    past: pastRevisions(env),
    remote: new CanonicalRegistry({ blobs, writer }, env.CANONICAL_REGISTRY, async (url, init) =>
      fetch(url, init),
    ),
    writer,
    catalogs: durableCatalogs(env.ORG),
    quarantine: durableQuarantine(env.ORG),
    approvals: durableApprovals(env.ORG),
    organisations: durableOrganisations(env.ORG),
    policies: durablePolicies(env.ORG),
    secrets: durableSecrets(env.ORG, deploymentSecret(env, 'SECRETS_KEY')),
    runs: durableRuns(env.RUN),
    runList: durableRunList(env.ORG),
    sessions: durableSessions(env.SESSION),
    shell: skillShell(blobs),
    search: durableSearch(env.SEARCH),
    usage,
    useBuffer: new UseBuffer(usage.record),
    audit,
    denialBuffer: new DenialBuffer(audit.record),
    events: eventLog(env),
  };
  made.set(env, services);
  return services;
}
