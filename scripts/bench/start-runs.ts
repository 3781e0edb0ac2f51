import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { bundleWorker } from './bundle-worker.ts';

const CONFIGURATION = 'wrangler.toml';
const LOOPBACK = '127.0.0.1';

/** One workerd process with runs as they are deployed, and the bare objects that they are compared with. */
export async function startRuns(folder: string): Promise<{ url: URL; stop(): Promise<void> }> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIGURATION);
  const { modulesRules: _rules, durableObjects, ...bound } = workerOptions;
  const main = join(import.meta.dirname, 'workers', 'runs.ts');
  const rootPath = join(folder, 'runs');
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: LOOPBACK,
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: join(folder, 'state'),
      workers: [
        {
          ...bound,
          durableObjects: {
            ...(typeof durableObjects === 'object' && durableObjects),
            FLOOR: { className: 'FloorObject', useSQLite: true },
          },
          name: 'runs',
          rootPath,
          modules: true,
          scriptPath: bundleWorker(CONFIGURATION, main, rootPath),
          unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }],
        },
      ],
    }),
  );
  return { url: await miniflare.unsafeGetDirectURL('runs'), stop: () => miniflare.dispose() };
}
