import { spawnSync } from 'node:child_process';
import { basename, extname, join } from 'node:path';

/** Bundles a worker exactly as a deployment of this configuration would, and returns the path of its one module. */
export function bundleWorker(configuration: string, main: string, output: string): string {
  const args = ['deploy', main, '--dry-run', '--config', configuration, '--outdir', output];
  const run = spawnSync('wrangler', args, {
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  });
  if (run.error) throw new Error('wrangler cannot be started: use "npm run bench"', { cause: run.error });
  if (run.status !== 0) throw new Error(`wrangler cannot bundle ${main}:\n${run.stdout}${run.stderr}`);
  return join(output, `${basename(main, extname(main))}.js`);
}
