import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const PEERS = join(import.meta.dirname, 'peers');

const Manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
const Installed = z.object({ version: z.string() });

/** Installs what we compare with, where it is not there in these versions: it is no dependency of the project. */
export function installPeers(show: (text: string) => void): void {
  const { dependencies } = Manifest.parse(JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8')));
  if (Object.entries(dependencies).every(([name, version]) => installedVersion(name) === version)) return;
  show('installing the peers');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: PEERS, stdio: ['ignore', 'ignore', 'inherit'] });
}

function installedVersion(name: string): string | null {
  try {
    const text = readFileSync(join(PEERS, 'node_modules', name, 'package.json'), 'utf8');
    return Installed.parse(JSON.parse(text)).version;
  } catch {
    return null;
  }
}
