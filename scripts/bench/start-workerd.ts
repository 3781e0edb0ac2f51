import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { bundleWorker } from './bundle-worker.ts';

const CONFIGURATION = 'wrangler.toml';
const LOOPBACK = '127.0.0.1';

export interface Workerd {
  /** Direct sockets: a request reaches the worker without Miniflare's own router, which costs more than the worker. */
  readonly product: URL;
  readonly hello: URL;
  putKv(key: string, value: string): Promise<void>;
  stop(): Promise<void>;
}

/** One workerd process with the product, bound as wrangler.toml says, and a bare Hono worker beside it. */
export async function startWorkerd(folder: string): Promise<Workerd> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: LOOPBACK,
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: join(folder, 'state'),
      workers: [
        workerOptions('product', CONFIGURATION, folder),
        workerOptions('hello', helloConfiguration(folder), folder),
      ],
    }),
  );
  try {
    const kv = await miniflare.getKVNamespace('KV', 'product');
    return {
      product: await miniflare.unsafeGetDirectURL('product'),
      hello: await miniflare.unsafeGetDirectURL('hello'),
      putKv: (key, value) => kv.put(key, value),
      stop: () => miniflare.dispose(),
    };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** A worker as `wrangler dev` would run it, but with the bundle of `wrangler deploy` and a socket of its own. */
function workerOptions(name: string, configuration: string, folder: string): V4WorkerOptions {
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(configuration);
  // Rules tell modules apart where there are many; the bundle is one.
  const { modulesRules: _rules, ...bound } = workerOptions;
  if (main === undefined) throw new Error(`${configuration} names no main`);
  const rootPath = join(folder, name);
  const scriptPath = bundleWorker(configuration, main, rootPath);
  return {
    ...bound,
    name,
    rootPath,
    modules: true,
    scriptPath,
    unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }],
  };
}

/** The same platform and the same way of bundling as the product's, and nothing else. */
function helloConfiguration(folder: string): string {
  const configuration = unstable_readConfig({ config: CONFIGURATION });
  const { compatibility_date, compatibility_flags, keep_names, minify } = configuration;
  const main = join(import.meta.dirname, 'hello-worker.ts');
  const path = join(folder, 'hello.json');
  const same = { compatibility_date, compatibility_flags, keep_names, minify };
  writeFileSync(path, JSON.stringify({ name: 'hello', main, ...same }));
  return path;
}
