import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { bundleWorker } from './bundle-worker.ts';
import { PEERS } from './install-peers.ts';

const CONFIGURATION = 'wrangler.toml';
const WORKERS = join(import.meta.dirname, 'workers');
const LOOPBACK = '127.0.0.1';

/** The namespace of wrangler.toml, and another one for a deployment that holds less. */
export const STORES = { product: 'skilledge', small: 'small' } as const;

export interface Workerd {
  /**
   * Direct sockets: a request reaches the worker without Miniflare's own router, which costs more than the worker.
   * `small` is the product over another store; `mcp` and `agents` are there where there are peers.
   */
  readonly urls: Readonly<Record<WorkerName, URL>>;
  putKv(key: string, value: string): Promise<void>;
  /** Where the product's object of this class and id keeps its SQLite database. */
  objectFile(className: string, id: string): string;
  stop(): Promise<void>;
}
type WorkerName = keyof typeof STORES | 'hello' | 'control' | 'mcp' | 'agents';

/** One workerd process with the product, bound as wrangler.toml says, and beside it what it is compared with. */
export async function startWorkerd(
  folder: string,
  options: { readonly state: string; readonly peers: boolean; readonly skills: number },
): Promise<Workerd> {
  const product = productOptions(folder);
  const peers = { SKILLS: options.skills };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: LOOPBACK,
      port: 0,
      cf: false,
      // Uses of skills are lines in the log, thousands a second here.
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error') console.error(message);
      },
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: options.state,
      workers: [
        product,
        { ...product, name: 'small', kvNamespaces: { KV: STORES.small } },
        {
          ...besideOptions('hello', join(WORKERS, 'hello.ts'), folder),
          durableObjects: { ROW: { className: 'RowObject', useSQLite: true } },
        },
        {
          ...besideOptions('control', join(WORKERS, 'control.ts'), folder),
          durableObjects: {
            ORG: { className: 'OrgObject', scriptName: 'product', useSQLite: true },
            SEARCH: { className: 'SearchObject', scriptName: 'product', useSQLite: true },
          },
        },
        ...(options.peers
          ? [
              { ...besideOptions('mcp', join(PEERS, 'mcp-worker.mjs'), folder), bindings: peers },
              { ...besideOptions('agents', join(PEERS, 'agents-worker.mjs'), folder), bindings: peers },
            ]
          : []),
      ],
    }),
  );
  try {
    const kv = await miniflare.getKVNamespace('KV', 'product');
    const url = (name: WorkerName): Promise<URL> => miniflare.unsafeGetDirectURL(name);
    const hello = await url('hello');
    return {
      urls: {
        product: await url('product'),
        small: await url('small'),
        hello,
        control: await url('control'),
        mcp: options.peers ? await url('mcp') : hello,
        agents: options.peers ? await url('agents') : hello,
      },
      putKv: (key, value) => kv.put(key, value),
      objectFile: (className, id) => join(options.state, 'do', `product-${className}`, `${id}.sqlite`),
      stop: () => miniflare.dispose(),
    };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** The product as `wrangler dev` would run it, but with the bundle of `wrangler deploy` and a socket of its own. */
function productOptions(folder: string): V4WorkerOptions {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIGURATION);
  // Rules tell modules apart where there are many; the bundle is one.
  const { modulesRules: _rules, ...bound } = workerOptions;
  const main = join(WORKERS, 'product.ts');
  return {
    ...bound,
    analyticsEngineDatasets: { EVENTS: { dataset: 'events' } },
    ...bundled('product', CONFIGURATION, main, folder),
  };
}

/** The same platform and the same way of bundling as the product's, and nothing else. */
function besideOptions(name: WorkerName, main: string, folder: string): V4WorkerOptions {
  const configuration = unstable_readConfig({ config: CONFIGURATION });
  const { compatibility_date, compatibility_flags, keep_names, minify } = configuration;
  const path = join(folder, `${name}.json`);
  writeFileSync(
    path,
    JSON.stringify({ name, main, compatibility_date, compatibility_flags, keep_names, minify }),
  );
  return {
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    ...bundled(name, path, main, folder),
  };
}

function bundled(name: WorkerName, configuration: string, main: string, folder: string) {
  const rootPath = join(folder, name);
  return {
    name,
    rootPath,
    modules: true as const,
    scriptPath: bundleWorker(configuration, main, rootPath),
    unsafeDirectSockets: [{ host: LOOPBACK, port: 0 }],
  };
}
