import type { FsStat, IFileSystem } from 'just-bash/browser';
import type { Space } from '../catalog/layers.ts';
import type { SkillFile } from '../catalog/revision.ts';
import { byCodeUnit } from '../core/canonical-json.ts';
import type { BlobStore } from '../view/ports.ts';
import { FsError, parentOf } from './fs-basics.ts';
import { SeenFiles } from './seen-files.ts';
import { SkillFs } from './skill-fs.ts';
import { WorkspaceFs } from './workspace-fs.ts';
import type { WorkspaceStore } from './workspace-store.ts';
import { TEMPORARY_ROOT, WORKSPACE_ROOT, Workspace } from './workspace.ts';

/** The skill whose files a sandbox has, read-only, at `directory`. */
export interface MountedSkill {
  readonly directory: string;
  readonly files: readonly SkillFile[];
  readonly space: Space;
}

/**
 * The one file system of a run, as one call of a tool sees and changes it: a workspace, `/tmp`, and the skill's files. Paths
 * are absolute and plain; what is not there, or cannot be done, throws an `FsError`.
 */
export class Sandbox {
  readonly workspace: Workspace;
  readonly skillFs: SkillFs;
  readonly mounts: Readonly<Record<string, IFileSystem>>;
  readonly seen: SeenFiles;

  constructor(store: WorkspaceStore, skill: MountedSkill, blobs: Pick<BlobStore, 'readMany'>) {
    this.workspace = new Workspace(store);
    this.seen = new SeenFiles(store);
    this.skillFs = new SkillFs(skill.directory, skill.files, blobs, skill.space);
    this.mounts = {
      [WORKSPACE_ROOT]: new WorkspaceFs(this.workspace, WORKSPACE_ROOT),
      [TEMPORARY_ROOT]: new WorkspaceFs(this.workspace, TEMPORARY_ROOT),
      [this.skillFs.root]: this.skillFs,
    };
  }

  async stat(path: string): Promise<FsStat> {
    const { fs, inside } = this.#mounted(path, 'stat', 'ENOENT');
    return fs.stat(inside);
  }

  async read(path: string): Promise<Uint8Array> {
    const { fs, inside } = this.#mounted(path, 'open', 'ENOENT');
    return fs.readFileBuffer(inside);
  }

  /** Folders on the way are made. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const { fs, inside } = this.#mounted(path, 'open', 'EROFS');
    if (parentOf(inside) !== '/') await fs.mkdir(parentOf(inside), { recursive: true });
    await fs.writeFile(inside, bytes);
  }

  /** The path itself where it is a file, or all files below it, in the order of their paths. */
  async files(path: string): Promise<{ readonly path: string; readonly size: number }[]> {
    const { fs, root, inside } = this.#mounted(path, 'scandir', 'ENOENT');
    const stat = await fs.stat(inside);
    if (stat.isFile) return [{ path, size: stat.size }];
    const prefix = inside === '/' ? '/' : `${inside}/`;
    const below = fs.getAllPaths().filter((each) => each.startsWith(prefix));
    const stats = await Promise.all(
      below.map(async (each) => ({ path: root + each, ...(await fs.stat(each)) })),
    );
    return stats
      .filter(({ isFile }) => isFile)
      .map(({ path, size }) => ({ path, size }))
      .toSorted((left, right) => byCodeUnit(left.path, right.path));
  }

  /** Says that these files are going to be read: those of the skill are then fetched together. */
  async expect(paths: readonly string[]): Promise<void> {
    const { root } = this.skillFs;
    await this.skillFs.load(
      paths.filter((path) => path.startsWith(`${root}/`)).map((path) => path.slice(root.length)),
    );
  }

  /** Stores what was changed. Belongs inside the transaction that completes the step. */
  apply(): void {
    this.workspace.apply();
    this.seen.apply();
  }

  #mounted(path: string, operation: string, otherwise: 'ENOENT' | 'EROFS') {
    const found = Object.entries(this.mounts).find(([root]) => path === root || path.startsWith(`${root}/`));
    if (found === undefined) throw new FsError(otherwise, operation, path);
    const [root, fs] = found;
    return { fs, root, inside: path.slice(root.length) || '/' };
  }
}
