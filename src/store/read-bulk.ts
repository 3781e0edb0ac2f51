/** KV's own bounds of one bulk read: 100 keys, 25 MiB of values. */
const KEYS = 100;
const BYTES = 20 * 1024 * 1024;
/** What a value of unknown size is taken for: the largest that is put into KV. */
const UNKNOWN_SIZE = 1024 * 1024;

/** Reads many keys of KV as text, all at once: one round, and one operation for up to 100 keys. */
export async function readBulk(
  kv: KVNamespace,
  wanted: readonly { key: string; size?: number | undefined }[],
): Promise<Map<string, string | null>> {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { key, size } of wanted) {
    const weight = size ?? (wanted.length <= BYTES / UNKNOWN_SIZE ? 0 : UNKNOWN_SIZE / 8);
    const batch = batches.at(-1);
    if (!batch || batch.length >= KEYS || bytes + weight > BYTES) {
      batches.push([key]);
      bytes = weight;
    } else {
      batch.push(key);
      bytes += weight;
    }
  }
  const answers = await Promise.all(batches.map((batch) => readBatch(kv, batch)));
  return new Map(answers.flatMap((answer) => [...answer]));
}

async function readBatch(kv: KVNamespace, keys: string[]): Promise<Map<string, string | null>> {
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return new Map([[only, await kv.get(only, 'text')]]);
  return kv.get(keys, 'text');
}
