import type { FileContent, FsStat, IFileSystem, MkdirOptions } from 'just-bash/browser';
import type { Space } from '../catalog/layers.ts';
import type { SkillFile } from '../catalog/revision.ts';
import type { BlobStore } from '../view/ports.ts';
import { FsError, decoded, parentOf, resolved, statOf } from './fs-basics.ts';

type Options = Parameters<IFileSystem['readFile']>[1];

/**
 * A skill's files, read-only, relative to the mount. Names, sizes and modes come from the revision; a file's bytes are
 * fetched when it is first read, so that listing a directory costs nothing.
 */
export class SkillFs implements IFileSystem {
  /** Where it is mounted. */
  readonly root: string;
  readonly #files: ReadonlyMap<string, SkillFile>;
  readonly #directories: ReadonlySet<string>;
  readonly #blobs: Pick<BlobStore, 'readMany'>;
  readonly #space: Space;
  readonly #read = new Map<string, Promise<Uint8Array>>();
  #failure: Error | null = null;

  constructor(root: string, files: readonly SkillFile[], blobs: Pick<BlobStore, 'readMany'>, space: Space) {
    this.root = root;
    this.#files = new Map(files.map((file) => [`/${file.path}`, file]));
    this.#directories = new Set(files.flatMap((file) => directoriesOf(`/${file.path}`)));
    this.#blobs = blobs;
    this.#space = space;
  }

  /** A blob could not be read. Commands take that for a missing file; whoever ran them must not. */
  get failure(): Error | null {
    return this.#failure;
  }

  async readFile(path: string, options?: Options): Promise<string> {
    return decoded(await this.readFileBuffer(path), options);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const at = resolved('/', path);
    const file = this.#files.get(at);
    if (file === undefined) throw this.#missing(at, 'open', 'EISDIR');
    const reading = this.#read.get(at) ?? this.#fetch(file);
    this.#read.set(at, reading);
    return reading;
  }

  /** Fetches these files at once, for who is going to read them all. Rejects where one of them cannot be had. */
  async load(paths: readonly string[]): Promise<void> {
    const wanted = paths.flatMap((path) => {
      const file = this.#files.get(path);
      return file === undefined || this.#read.has(path) ? [] : [{ path, file }];
    });
    if (wanted.length === 0) return;
    const contents = await this.#fetchAll(wanted.map(({ file }) => file));
    for (const [index, { path }] of wanted.entries())
      this.#read.set(path, Promise.resolve(contents[index] ?? new Uint8Array()));
  }

  async exists(path: string): Promise<boolean> {
    const at = resolved('/', path);
    return this.#files.has(at) || this.#directories.has(at);
  }

  async stat(path: string): Promise<FsStat> {
    const at = resolved('/', path);
    const file = this.#files.get(at);
    if (file !== undefined) {
      const mode = file.executable ? 0o555 : 0o444;
      return statOf({ type: 'file', size: file.size, mode, mtime: 0 }, this.root + at);
    }
    if (!this.#directories.has(at)) throw new FsError('ENOENT', 'stat', this.root + at);
    return statOf({ type: 'directory', size: 0, mode: 0o555, mtime: 0 }, this.root + at);
  }

  async lstat(path: string): Promise<FsStat> {
    return this.stat(path);
  }

  async readdir(path: string): Promise<string[]> {
    const at = resolved('/', path);
    if (!this.#directories.has(at)) throw this.#missing(at, 'scandir', 'ENOTDIR');
    const prefix = at === '/' ? at : `${at}/`;
    const names = this.getAllPaths().flatMap((each) => {
      const name = each.startsWith(prefix) ? each.slice(prefix.length) : '';
      return name === '' || name.includes('/') ? [] : [name];
    });
    return names.toSorted();
  }

  async realpath(path: string): Promise<string> {
    await this.stat(path);
    return resolved('/', path);
  }

  async readlink(path: string): Promise<string> {
    await this.stat(path);
    throw new FsError('EINVAL', 'readlink', this.root + path);
  }

  resolvePath(base: string, path: string): string {
    return resolved(base, path);
  }

  getAllPaths(): string[] {
    return [...this.#directories, ...this.#files.keys()];
  }

  async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    const there = await this.exists(path);
    if (there && options?.recursive === true) return;
    if (there) throw new FsError('EEXIST', 'mkdir', this.root + path);
    throw this.#readOnly('mkdir', path);
  }

  async writeFile(path: string, _content: FileContent): Promise<void> {
    throw this.#readOnly('write', path);
  }

  async appendFile(path: string, _content: FileContent): Promise<void> {
    throw this.#readOnly('append', path);
  }

  async rm(path: string): Promise<void> {
    throw this.#readOnly('rm', path);
  }

  async cp(_from: string, to: string): Promise<void> {
    throw this.#readOnly('cp', to);
  }

  async mv(_from: string, to: string): Promise<void> {
    throw this.#readOnly('mv', to);
  }

  async chmod(path: string): Promise<void> {
    throw this.#readOnly('chmod', path);
  }

  async symlink(_target: string, path: string): Promise<void> {
    throw this.#readOnly('symlink', path);
  }

  async link(_existing: string, path: string): Promise<void> {
    throw this.#readOnly('link', path);
  }

  async utimes(path: string): Promise<void> {
    throw this.#readOnly('utimes', path);
  }

  async #fetch(file: SkillFile): Promise<Uint8Array> {
    const [bytes = new Uint8Array()] = await this.#fetchAll([file]);
    return bytes;
  }

  async #fetchAll(files: readonly SkillFile[]): Promise<Uint8Array[]> {
    try {
      const space = this.#space;
      const contents = await this.#blobs.readMany(files.map(({ sha256 }) => ({ space, digest: sha256 })));
      return files.map(({ path }, index) => {
        const bytes = contents[index];
        if (!bytes) throw new Error(`the blob of ${path} is not stored`);
        return bytes;
      });
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw this.#failure;
    }
  }

  #missing(at: string, operation: string, otherwise: 'EISDIR' | 'ENOTDIR'): FsError {
    const there = this.#files.has(at) || this.#directories.has(at);
    return new FsError(there ? otherwise : 'ENOENT', operation, this.root + at);
  }

  #readOnly(operation: string, path: string): FsError {
    return new FsError('EROFS', operation, this.root + resolved('/', path));
  }
}

/** Every directory above a path, the root first. */
function directoriesOf(path: string): string[] {
  return path === '/' ? [] : [...directoriesOf(parentOf(path)), parentOf(path)];
}
