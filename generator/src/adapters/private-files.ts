import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PrivateFiles } from '../ports.ts';
import { claimFolder, clearLeftovers } from './folder-claim.ts';
import { writeBytes } from './write-bytes.ts';

const folderMode = 0o700;
const fileMode = 0o600;

/** Each file appears whole or not at all; nobody but the owner may look inside. */
export function storeFiles({ root, writes, removals }: PrivateFiles): void {
  const partial = join(root, 'partial');
  mkdirSync(partial, { recursive: true, mode: folderMode });
  chmodSync(root, folderMode); // it may have been there before
  for (const { path, bytes } of writes) {
    const aside = join(partial, randomUUID());
    writeBytes(aside, bytes, fileMode);
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true, mode: folderMode });
    renameSync(aside, target);
  }
  for (const path of removals) rmSync(join(root, path), { force: true });
}

/** One process at a time; whatever a killed one left half-written is thrown away. */
export async function exclusively<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  const place = join(folder, 'busy');
  const claim = await claimFolder(place, () => {});
  try {
    clearLeftovers(place, () => {});
    rmSync(join(folder, 'partial'), { recursive: true, force: true });
    return await work();
  } finally {
    claim.release();
  }
}
