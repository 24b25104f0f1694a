import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeFiles } from '../src/adapters/node-files.ts';
import type { Files, Staging } from '../src/ports.ts';

type Change = Parameters<Staging['commit']>[0];
/** Files below `memoryRoot` are in memory. Other files, such as templates and runtime sources, are read from disk. */
export type MemoryFiles = Files & { contents: Map<string, string>; commits: Change[]; stored: string[] };

export const memoryRoot = '/memory';

export function createMemoryFiles(): MemoryFiles {
  const contents = new Map<string, string>();
  const commits: Change[] = [];
  const stored: string[] = [];
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const read = (path: string): Uint8Array | undefined => {
    const content = contents.get(path);
    return content === undefined ? undefined : encoder.encode(content);
  };
  return {
    contents,
    commits,
    stored,
    read: (path) => (path.startsWith(memoryRoot) ? read(path) : nodeFiles.read(path)),
    list: (folder) => nodeFiles.list(folder),
    listFolders: (folder) => nodeFiles.listFolders(folder),
    store(path, bytes) {
      stored.push(path);
      contents.set(path, decoder.decode(bytes));
    },
    async update(path, change) {
      stored.push(path);
      contents.set(path, change(read(path)));
    },
    remove: (path) => void contents.delete(path),
    openStaging: async (outDir) => createStaging(outDir, { contents, commits }),
  };
}

function createStaging(
  outDir: string | undefined,
  { contents, commits }: { contents: Map<string, string>; commits: Change[] },
): Staging {
  const staged = new Map<string, string>();
  return {
    write: (path, text) => void staged.set(path, typeof text === 'string' ? text : [...text].join('')),
    read: (path) => staged.get(path),
    commit(change) {
      commits.push(change);
      for (const path of change.writes) contents.set(`${outDir}/${path}`, staged.get(path) ?? '');
      for (const path of change.removals) contents.delete(`${outDir}/${path}`);
    },
    close() {},
  };
}

/** Returns the texts of the generated packages by path. */
export function readOutput({ contents }: MemoryFiles): Record<string, string> {
  return Object.fromEntries([...contents].filter(([path]) => path.startsWith(`${memoryRoot}/out/`)).sort());
}

/** Writes the generated packages to a temporary folder, from which their modules can be imported. Returns the folder. */
export function writeToDisk({ contents }: MemoryFiles): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-output-'));
  const out = `${memoryRoot}/out/`;
  for (const [path, text] of contents) {
    if (!path.startsWith(out)) continue;
    const file = join(folder, path.slice(out.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
