import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import picomatch from 'picomatch';
import type { SourceFile, SourceTree } from '../../src/compile/source-tree.ts';
import { byCodeUnit } from '../../src/core/canonical-json.ts';
import { type Diagnostic, diagnostic, type DiagnosticCode } from '../../src/format/diagnostic.ts';

/** Folders that hold other people's files and never skills of this tree. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export interface DiskTreeOptions {
  /** Globs of the person who builds, matched against paths relative to the root. */
  readonly ignore?: readonly string[];
  /** Links may lead anywhere below this folder; the root itself, where nothing is said. */
  readonly within?: string;
  /** Folders that are not looked into, by their path relative to the root. */
  readonly skipFolder?: (path: string) => boolean;
}

/**
 * Lists a folder. Links are followed while they stay inside it and do not lead back to where they are; everything else
 * that is not a regular file is reported. Files are read only when they are asked for.
 */
export function diskTree(root: string, options: DiskTreeOptions = {}): SourceTree {
  const realRoot = realpathSync(root);
  const boundary = options.within === undefined ? realRoot : realpathSync(options.within);
  const files: SourceFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const ignored = picomatch([...(options.ignore ?? [])], { dot: true, noextglob: true });
  const remark = (code: DiagnosticCode, path: string, message: string): void => {
    diagnostics.push(diagnostic(code, path, 1, message));
  };

  const walk = (directory: string, path: string, chain: readonly string[]): void => {
    let names: string[];
    try {
      names = readdirSync(directory).toSorted(byCodeUnit);
    } catch (error) {
      remark('file-unreadable', path || '.', reason(error));
      return;
    }
    for (const name of names) {
      const childPath = path === '' ? name : `${path}/${name}`;
      if (SKIPPED.has(name) || ignored(childPath)) continue;
      const child = join(directory, name);
      const target = resolve(child, childPath);
      if (target === null) continue;
      if (target.stats.isDirectory()) {
        if (options.skipFolder?.(childPath)) continue;
        if (name === 'SKILL.md')
          remark('file-not-regular', childPath, 'a folder has the name of a skill file');
        if (chain.includes(target.real))
          remark('symlink-cycle', childPath, 'the link leads back to a folder above it');
        else walk(child, childPath, [...chain, target.real]);
      } else if (target.stats.isFile()) {
        files.push(diskFile(child, childPath, target.stats));
      } else {
        remark('file-not-regular', childPath, 'neither a file nor a folder');
      }
    }
  };

  /** What a name stands for after links, or null (reported) where it may not be followed. */
  const resolve = (file: string, path: string): { real: string; stats: Stats } | null => {
    try {
      const stats = lstatSync(file);
      if (!stats.isSymbolicLink()) return { real: file, stats };
    } catch (error) {
      remark('file-unreadable', path, reason(error));
      return null;
    }
    try {
      const real = realpathSync(file);
      if (real !== boundary && !real.startsWith(boundary + sep)) {
        remark('symlink-outside', path, 'the link leads out of the source tree');
        return null;
      }
      return { real, stats: statSync(real) };
    } catch {
      remark('symlink-broken', path, 'the link leads nowhere');
      return null;
    }
  };

  walk(realRoot, '', [realRoot]);
  return { files, diagnostics };
}

function diskFile(file: string, path: string, stats: Stats): SourceFile {
  return {
    path,
    size: stats.size,
    executable: (stats.mode & 0o111) !== 0,
    async read() {
      try {
        const bytes = readFileSync(file);
        if (bytes.length === stats.size) return bytes;
        return diagnostic('file-changed', path, 1, 'the file changed its size while it was read');
      } catch (error) {
        return diagnostic('file-unreadable', path, 1, reason(error));
      }
    },
  };
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error
    ? `cannot be read: ${String(error.code)}`
    : 'cannot be read';
}
