import type { IFileSystem } from 'just-bash/browser';
import { RUN_LIMITS } from '../core/limits.ts';
import type { Shell } from './shell.ts';

/** The call of `exists` with which the shell looked at a redirection's target before it opened it. */
export interface RefusedOpening {
  readonly probe: number;
  readonly path: string;
}

export interface ShellFs extends IFileSystem {
  /** Redirections whose target could not be opened, in the order in which the script met them. */
  readonly refused: readonly RefusedOpening[];
}

/**
 * One tree out of several file systems, with just-bash's own in-memory one below them.
 *
 * just-bash 3.4.2 reports a redirection as failed only when the look at its target fails; when opening it fails, the
 * error ends the innermost compound command or the whole script. So an opening that fails is noted with the number of
 * the look before it, and the script is run again with `known`, where that look fails. Nothing of the first run was kept.
 */
export function shellFs(
  shell: Shell,
  mounts: Readonly<Record<string, IFileSystem>>,
  known: readonly RefusedOpening[],
): ShellFs {
  const system = new shell.InMemoryFs(undefined, { maxTotalBytes: RUN_LIMITS.systemBytes });
  const refused: RefusedOpening[] = [];
  let looks = 0;
  let probe: RefusedOpening | null = null;

  /** Runs a write; where it is the opening of a redirection and fails, the failure is noted. */
  async function opening(
    path: string,
    content: unknown,
    options: unknown,
    write: () => Promise<void>,
  ): Promise<void> {
    // Between the look and the opening, a redirection resolves no other path: every command's own write does.
    const look = content === '' && options === 'binary' && probe?.path === path ? probe : null;
    try {
      await write();
    } catch (error) {
      if (look !== null) refused.push(look);
      throw error;
    }
  }

  class Tree extends shell.MountableFs {
    readonly refused = refused;
    /** just-bash fills in its system files wherever a file system has these two. */
    readonly writeFileSync = system.writeFileSync.bind(system);
    readonly mkdirSync = system.mkdirSync.bind(system);

    override resolvePath(base: string, path: string): string {
      probe = null;
      return super.resolvePath(base, path);
    }

    override async exists(path: string): Promise<boolean> {
      looks += 1;
      probe = { probe: looks, path };
      if (known.some((each) => each.probe === looks && each.path === path))
        throw new Error(`cannot open '${path}'`);
      return super.exists(path);
    }

    override writeFile(...[path, content, options]: Parameters<IFileSystem['writeFile']>): Promise<void> {
      return opening(path, content, options, () => super.writeFile(path, content, options));
    }

    override appendFile(...[path, content, options]: Parameters<IFileSystem['appendFile']>): Promise<void> {
      return opening(path, content, options, () => super.appendFile(path, content, options));
    }
  }

  const tree = new Tree({ base: system });
  for (const [path, mount] of Object.entries(mounts)) tree.mount(path, mount);
  return tree;
}
