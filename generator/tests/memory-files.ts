import { nodeFiles } from '../src/adapters/node-files.ts';
import type { Change, Files } from '../src/ports.ts';

/** A folder in memory; what lies outside of it (templates, runtime sources) is read from the disk. */
export type MemoryFiles = Files & { contents: Map<string, string>; commits: Change[] };

export const memoryRoot = '/memory';

export function createMemoryFiles(): MemoryFiles {
  const contents = new Map<string, string>();
  const commits: Change[] = [];
  const text = new TextDecoder();
  return {
    contents,
    commits,
    async read(paths) {
      const own = paths.filter((path) => path.startsWith(memoryRoot));
      const found = await nodeFiles.read(paths.filter((path) => !path.startsWith(memoryRoot)));
      const encoder = new TextEncoder();
      const held = own.flatMap((path): [string, Uint8Array][] => {
        const content = contents.get(path);
        return content === undefined ? [] : [[path, encoder.encode(content)]];
      });
      return new Map([...found, ...held]);
    },
    list: (folder) => nodeFiles.list(folder),
    async commit(change) {
      commits.push(change);
      const last = change.last === undefined ? [] : [change.last];
      for (const { path, bytes } of [...change.writes, ...last]) {
        contents.set(`${change.root}/${path}`, typeof bytes === 'string' ? bytes : text.decode(bytes));
      }
      for (const path of change.removals) contents.delete(`${change.root}/${path}`);
    },
  };
}
