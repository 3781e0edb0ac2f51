import type { CpOptions, FileContent, FsStat, IFileSystem, MkdirOptions, RmOptions } from 'just-bash/browser';
import { FsError, decoded, encoded, parentOf, resolved, statOf } from './fs-basics.ts';
import { type Node, type Workspace, newDirectory, newFile } from './workspace.ts';

type Options = Parameters<IFileSystem['readFile']>[1];

/** One root of a workspace as a file system of just-bash: paths come in relative to the mount, `/` is the root itself. */
export class WorkspaceFs implements IFileSystem {
  readonly #workspace: Workspace;
  readonly #root: string;

  constructor(workspace: Workspace, root: string) {
    this.#workspace = workspace;
    this.#root = root;
  }

  async readFile(path: string, options?: Options): Promise<string> {
    return decoded(await this.readFileBuffer(path), options);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const node = this.#existing(path, 'open');
    if (node.type === 'directory') throw new FsError('EISDIR', 'read', this.#at(path));
    return this.#workspace.bytesOf(node);
  }

  async writeFile(path: string, content: FileContent, options?: Options): Promise<void> {
    const { at, before } = this.#writable(path);
    this.#workspace.put(at, newFile(encoded(content, options), before?.mode));
  }

  async appendFile(path: string, content: FileContent, options?: Options): Promise<void> {
    const { at, before } = this.#writable(path);
    const head = before === undefined ? new Uint8Array() : this.#workspace.bytesOf(before);
    const tail = encoded(content, options);
    const whole = new Uint8Array(head.length + tail.length);
    whole.set(head);
    whole.set(tail, head.length);
    this.#workspace.put(at, newFile(whole, before?.mode));
  }

  async exists(path: string): Promise<boolean> {
    return this.#workspace.node(this.#at(path)) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    return statOf(this.#existing(path, 'stat'), this.#at(path));
  }

  async lstat(path: string): Promise<FsStat> {
    return this.stat(path);
  }

  async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    const at = this.#at(path);
    const node = this.#workspace.node(at);
    if (node?.type === 'directory' && options?.recursive === true) return;
    if (node !== undefined) throw new FsError('EEXIST', 'mkdir', at);
    const parent = this.#workspace.node(parentOf(at));
    if (parent === undefined && options?.recursive === true) await this.mkdir(parentOf(path), options);
    else this.#parent(at, 'mkdir');
    this.#workspace.put(at, newDirectory());
  }

  async readdir(path: string): Promise<string[]> {
    const at = this.#at(path);
    if (this.#existing(path, 'scandir').type !== 'directory') throw new FsError('ENOTDIR', 'scandir', at);
    return this.#workspace
      .childrenOf(at)
      .map((child) => child.slice(at.length + 1))
      .toSorted();
  }

  async rm(path: string, options?: RmOptions): Promise<void> {
    const at = this.#at(path);
    if (this.#workspace.node(at) === undefined && options?.force === true) return;
    this.#existing(path, 'rm');
    const below = this.#below(at);
    if (below.length > 0 && options?.recursive !== true) throw new FsError('ENOTEMPTY', 'rm', at);
    for (const each of [...below, at]) this.#workspace.remove(each);
  }

  async cp(from: string, to: string, options?: CpOptions): Promise<void> {
    const node = this.#existing(from, 'cp');
    if (node.type === 'file') {
      const { at } = this.#writable(to);
      this.#workspace.put(at, newFile(this.#workspace.bytesOf(node).slice(), node.mode));
      return;
    }
    if (options?.recursive !== true) throw new FsError('EISDIR', 'cp', this.#at(from));
    this.#refuseInside(from, to, 'cp');
    await this.mkdir(to, { recursive: true });
    for (const name of await this.readdir(from)) await this.cp(`${from}/${name}`, `${to}/${name}`, options);
  }

  async mv(from: string, to: string): Promise<void> {
    const [source, target] = [this.#at(from), this.#at(to)];
    const node = this.#existing(from, 'mv');
    if (source === target) return;
    this.#refuseInside(from, to, 'mv');
    this.#parent(target, 'mv');
    const over = this.#workspace.node(target);
    if (over?.type === 'directory' && node.type === 'file') throw new FsError('EISDIR', 'mv', target);
    if (over?.type === 'file' && node.type === 'directory') throw new FsError('ENOTDIR', 'mv', target);
    if (this.#below(target).length > 0) throw new FsError('ENOTEMPTY', 'mv', target);
    for (const each of [source, ...this.#below(source).toReversed()])
      this.#move(each, target + each.slice(source.length));
  }

  resolvePath(base: string, path: string): string {
    return resolved(base, path);
  }

  getAllPaths(): string[] {
    const prefix = `${this.#root}/`;
    return this.#workspace
      .paths()
      .flatMap((path) => (path.startsWith(prefix) ? [path.slice(this.#root.length)] : []));
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#workspace.put(this.#at(path), { ...this.#existing(path, 'chmod'), mode });
  }

  async utimes(path: string, _accessed: Date, modified: Date): Promise<void> {
    this.#workspace.put(this.#at(path), { ...this.#existing(path, 'utimes'), mtime: modified.getTime() });
  }

  /** Links are refused: a path in a run names one file, and what is stored needs no resolving. */
  async symlink(_target: string, path: string): Promise<void> {
    throw new FsError('EPERM', 'symlink', this.#at(path));
  }

  async link(_existing: string, path: string): Promise<void> {
    throw new FsError('EPERM', 'link', this.#at(path));
  }

  async readlink(path: string): Promise<string> {
    this.#existing(path, 'readlink');
    throw new FsError('EINVAL', 'readlink', this.#at(path));
  }

  async realpath(path: string): Promise<string> {
    this.#existing(path, 'realpath');
    return resolved('/', path);
  }

  #at(path: string): string {
    const plain = resolved('/', path);
    return plain === '/' ? this.#root : this.#root + plain;
  }

  #existing(path: string, operation: string): Node {
    const node = this.#workspace.node(this.#at(path));
    if (node === undefined) throw new FsError('ENOENT', operation, this.#at(path));
    return node;
  }

  #parent(at: string, operation: string): void {
    const parent = this.#workspace.node(parentOf(at));
    if (parent === undefined) throw new FsError('ENOENT', operation, at);
    if (parent.type !== 'directory') throw new FsError('ENOTDIR', operation, at);
  }

  #writable(path: string): { at: string; before: Node | undefined } {
    const at = this.#at(path);
    const before = this.#workspace.node(at);
    if (before?.type === 'directory') throw new FsError('EISDIR', 'write', at);
    this.#parent(at, 'open');
    return { at, before };
  }

  /** Everything inside a directory, the deepest first. */
  #below(at: string): string[] {
    const prefix = `${at}/`;
    const below = this.#workspace.paths().filter((path) => path.startsWith(prefix));
    return below.toSorted((left, right) => right.split('/').length - left.split('/').length);
  }

  #refuseInside(from: string, to: string, operation: string): void {
    if (`${this.#at(to)}/`.startsWith(`${this.#at(from)}/`))
      throw new FsError('EINVAL', operation, this.#at(to));
  }

  #move(from: string, to: string): void {
    const node = this.#workspace.node(from);
    if (node === undefined) return;
    this.#workspace.remove(from);
    if (this.#workspace.node(to) !== undefined) this.#workspace.remove(to);
    this.#workspace.put(to, node);
  }
}
