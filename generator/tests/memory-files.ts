import { nodeFiles } from '../src/adapters/node-files.ts';
import { openSpool } from '../src/adapters/spool.ts';
import { digestOf } from '../src/digest.ts';
import type { Change, Files, PrivateFiles, Spool } from '../src/ports.ts';

/** A folder in memory; what lies outside of it (templates, runtime sources) is read from the disk. */
export type MemoryFiles = Files & { contents: Map<string, string>; commits: Change[]; stores: PrivateFiles[] };

export const memoryRoot = '/memory';

function openText(text: string | undefined): ReturnType<Spool['open']> {
  const bytes = new TextEncoder().encode(text);
  return text === undefined ? undefined : { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

export function createMemoryFiles(): MemoryFiles {
  const contents = new Map<string, string>();
  const commits: Change[] = [];
  const stores: PrivateFiles[] = [];
  const text = new TextDecoder();
  const textOf = (bytes: Change['writes'][number]['bytes']): string => {
    if (typeof bytes === 'string') return bytes;
    return (typeof bytes === 'function' ? [...bytes()] : [bytes]).map((part) => text.decode(part)).join('');
  };
  const put = (root: string, writes: Change['writes']): void => {
    for (const { path, bytes } of writes) contents.set(`${root}/${path}`, textOf(bytes));
  };
  return {
    contents,
    commits,
    stores,
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
    async list(folder) {
      if (!folder.startsWith(memoryRoot)) return nodeFiles.list(folder);
      const names = [...contents.keys()].filter((path) => path.startsWith(`${folder}/`));
      return names.map((path) => path.slice(folder.length + 1)).sort();
    },
    async commit(change) {
      if (contents.get(`${change.root}/${change.last.path}`) !== change.last.before) return 'stale';
      commits.push(change);
      put(change.root, [...change.writes, change.last]);
      for (const path of change.removals) contents.delete(`${change.root}/${path}`);
      return 'done';
    },
    async recover() {},
    exclusively: (_, work) => work(),
    openSpool: () => ({ ...openSpool(), open: (path) => openText(contents.get(path)) }),
    // Long settled, and never the same for other bytes.
    stamps: (paths) =>
      paths.map((path) => {
        const content = contents.get(path);
        return content === undefined ? undefined : { mark: digestOf(content), changedAt: -60_000.5 };
      }),
    async store(files) {
      stores.push(files);
      put(files.root, files.writes);
      for (const path of files.removals) contents.delete(`${files.root}/${path}`);
    },
  };
}
