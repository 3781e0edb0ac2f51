import { REMOTE_LAYER } from '../catalog/layers.ts';
import { logFault } from '../core/log.ts';
import { fail } from '../core/result.ts';
import type { EventLog } from '../invoke/event.ts';
import type { Runs } from '../invoke/runs/run-contract.ts';
import type { RemoteSkills } from '../invoke/remote-skills.ts';
import { durableUsage } from '../org/durable-organisation.ts';
import { blobStore } from '../store/blob-store.ts';
import { pastRevisions } from '../store/past-revisions.ts';
import { records } from '../store/records.ts';
import type { NestedPorts } from './nested-skills.ts';

/** Skills of another site are fetched for callers, and not for what a model inside of a run may name. */
const NO_REMOTE: RemoteSkills = {
  find: async () =>
    fail({
      code: 'skill_remote_unsupported',
      errorCode: 6,
      detail: 'remote skills cannot be used inside of a run',
    }),
};

export function nestedPorts(env: Env, runs: Runs, events: EventLog): NestedPorts {
  const usage = durableUsage(env.ORG);
  return {
    records: records(env),
    blobs: blobStore(env),
    past: pastRevisions(env),
    remote: NO_REMOTE,
    runs,
    events,
    uses: {
      record: (organisation, use) => {
        if (use.layer === REMOTE_LAYER) return;
        usage.record(organisation, [use]).catch((error: unknown) => {
          logFault('uses_lost', { organisation, uses: '1', reason: String(error) });
        });
      },
    },
    flags: env.FLAGS === '' ? [] : env.FLAGS.split(','),
  };
}
