import type { Problem } from '../core/problem.ts';
import type { Moment } from '../view/listing/choose-skills.ts';
import { mergeListing } from '../view/listing/merge-listing.ts';
import { nearestNames } from '../view/nearest-names.ts';
import type { BlobStore } from '../view/ports.ts';
import type { View } from '../view/view.ts';

/**
 * An unknown name's problem, with the nearest names of this very view and no other: one more round of reads at most, and
 * only for a name that is not there. None is named that whoever asks could not start.
 */
export async function suggestNames(
  blobs: BlobStore,
  view: View,
  problem: Problem,
  name: string,
  audience: Moment['audience'],
): Promise<Problem> {
  const merged = await mergeListing(blobs, view);
  const startable = (merged?.skills ?? []).filter(({ entry, listing }) =>
    audience === 'user' ? entry.userInvocable : listing !== 'manual' && listing !== 'unlisted',
  );
  const nearest = nearestNames(
    name,
    startable.map(({ entry }) => entry.name),
  );
  if (nearest.length === 0) return problem;
  const quoted = nearest.map((near) => JSON.stringify(near)).join(' or ');
  return {
    ...problem,
    hint: `Perhaps ${quoted} is meant. ${problem.hint ?? ''}`.trimEnd(),
    data: { ...problem.data, nearest },
  };
}
