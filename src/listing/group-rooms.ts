/** What a group of entries takes: with all of its texts, and with its names alone. */
export interface GroupSize {
  readonly wanted: number;
  readonly names: number;
}

export interface GroupRooms {
  readonly bundled: number;
  readonly favoured: number;
  readonly others: number;
}

/**
 * Shares a room between groups, so that more room is never less for any of them.
 *
 * Bundled entries have `half`, and beyond that whatever the others leave when they have given up all text but no name: so
 * bundled text up to half is safe, and what is above goes after the others' text and before their names. Of what is left,
 * favoured entries have a quarter in the same manner, and in any case their names: where there are far too many skills for
 * their texts, a listing of names alone would tell nothing of those that are wanted now.
 */
export function groupRooms(
  room: number,
  half: number,
  sizes: { readonly bundled: GroupSize; readonly favoured: GroupSize; readonly others: GroupSize },
): GroupRooms {
  const { bundled, favoured, others } = sizes;
  const forBundled = Math.min(Math.max(half, room - favoured.names - others.names), bundled.wanted);
  const left = room - forBundled;
  const share = Math.max(Math.floor(left / 4), left - others.names, Math.min(favoured.names, left));
  const forFavoured = Math.min(share, favoured.wanted);
  return { bundled: forBundled, favoured: forFavoured, others: left - forFavoured };
}
