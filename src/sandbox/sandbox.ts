import type { IFileSystem } from 'just-bash/browser';
import type { Space } from '../catalog/layers.ts';
import type { SkillFile } from '../catalog/revision.ts';
import type { BlobStore } from '../view/ports.ts';
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

/** The one file system of a run, as one call of a tool sees and changes it: a workspace, `/tmp`, and the skill's files. */
export class Sandbox {
  readonly workspace: Workspace;
  readonly skillFs: SkillFs;
  readonly mounts: Readonly<Record<string, IFileSystem>>;

  constructor(store: WorkspaceStore, skill: MountedSkill, blobs: Pick<BlobStore, 'readMany'>) {
    this.workspace = new Workspace(store);
    this.skillFs = new SkillFs(skill.directory, skill.files, blobs, skill.space);
    this.mounts = {
      [WORKSPACE_ROOT]: new WorkspaceFs(this.workspace, WORKSPACE_ROOT),
      [TEMPORARY_ROOT]: new WorkspaceFs(this.workspace, TEMPORARY_ROOT),
      [this.skillFs.root]: this.skillFs,
    };
  }

  /** Stores what was changed. Belongs inside the transaction that completes the step. */
  apply(): void {
    this.workspace.apply();
  }
}
