import type { SourceTree } from '../../src/compile/source-tree.ts';

/** The same tree inside a folder: every path, also those in remarks, begins with it. */
export function mountTree(tree: SourceTree, folder: string): SourceTree {
  const moved = (path: string): string => (path === '.' ? folder : `${folder}/${path}`);
  return {
    files: tree.files.map((file) => ({
      path: moved(file.path),
      size: file.size,
      executable: file.executable,
      async read() {
        const content = await file.read();
        return content instanceof Uint8Array ? content : { ...content, path: moved(content.path) };
      },
    })),
    diagnostics: tree.diagnostics.map((entry) => ({ ...entry, path: moved(entry.path) })),
  };
}
