import { statSync } from 'node:fs';
import type { Files, Stamp } from '../ports.ts';

/** Inode, size and time of change: whatever changes a file's bytes changes one of them, and nobody can set the time. */
export const fileStamps: Files['stamps'] = (paths) =>
  paths.map((path): Stamp | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    return { mark: `${stats.ino} ${stats.size} ${stats.ctimeMs}`, changedAt: stats.ctimeMs };
  });
