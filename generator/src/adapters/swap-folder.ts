import {
  copyFileSync,
  type Dirent,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change } from '../ports.ts';
import { isAbsence } from './error-code.ts';
import { writeBytes } from './write-bytes.ts';

const filesAtMost = 500_000;

/**
 * Builds the whole new state of a folder aside: links to what stays, files for what changes. False when the folder holds
 * something that cannot be carried over (an installation, a repository, a device), so that it has to be changed in place.
 */
export function stageTree(change: Change, next: string): boolean {
  const dropped = new Set([...change.removals, ...change.writes.map(({ path }) => path), change.last.path]);
  const walk = { root: change.root, next, dropped, left: filesAtMost };
  const mode = modeOf(change.root);
  mkdirSync(next, { recursive: true, ...(mode === undefined ? {} : { mode }) });
  try {
    carryOver(walk, '');
  } catch (error) {
    if (error instanceof UnmovableError) return false;
    throw error;
  }
  const made = new Set<string>();
  for (const { path, bytes } of [...change.writes, change.last]) {
    const folder = dirname(path);
    if (!made.has(folder)) mkdirSync(join(next, folder), { recursive: true });
    made.add(folder);
    writeBytes(join(next, path), bytes);
  }
  return true;
}

type Walk = { readonly root: string; readonly next: string; readonly dropped: ReadonlySet<string>; left: number };

/** Tells of something in a folder that can neither be linked nor copied to another. */
class UnmovableError extends Error {
  override readonly name = 'UnmovableError';
}

/** Whether anything of the folder lives on. */
function carryOver(walk: Walk, folder: string): boolean {
  const entries = entriesOf(join(walk.root, folder));
  const files = entries.filter((entry) => !entry.isDirectory() && !walk.dropped.has(pathIn(folder, entry)));
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .filter((entry) => carryOver(walk, pathIn(folder, entry)));
  walk.left -= entries.length;
  if (walk.left < 0) throw new UnmovableError(`${walk.root} holds more than ${filesAtMost} files`);
  // A folder that is empty before any change is someone's; one that only we empty goes with its files.
  if (files.length > 0 || entries.length === 0) mkdirSync(join(walk.next, folder), { recursive: true });
  for (const entry of files)
    carryFile(entry, join(walk.root, pathIn(folder, entry)), join(walk.next, pathIn(folder, entry)));
  return files.length + folders.length > 0 || entries.length === 0;
}

function pathIn(folder: string, { name }: Dirent): string {
  if (name === 'node_modules' || name === '.git') throw new UnmovableError(`${name} stays where it is`);
  return folder === '' ? name : `${folder}/${name}`;
}

function carryFile(entry: Dirent, from: string, to: string): void {
  if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (entry.isFile()) linkOrCopy(from, to);
  else throw new UnmovableError(`${from} is neither file nor folder`);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // some file systems know no links
  }
}

function modeOf(folder: string): number | undefined {
  try {
    return statSync(folder).mode & 0o777;
  } catch {
    return undefined;
  }
}

/** Puts the new state in the old one's place; false when this folder cannot be moved, and then it is where it was. */
export function swap(root: string, transaction: string): boolean {
  const [next, old] = [join(transaction, 'next'), join(transaction, 'old')];
  try {
    renameSync(root, old);
  } catch (error) {
    if (!isAbsence(error)) return false;
  }
  try {
    renameSync(next, root);
    return true;
  } catch (error) {
    restore(root, old);
    throw error;
  }
}

/** After a kill: a folder that was just being exchanged gets its new state, since the old one is already aside. */
export function finishSwap(root: string, transaction: string): void {
  const isMissing = modeOf(root) === undefined;
  if (!isMissing || modeOf(join(transaction, 'old')) === undefined) return;
  try {
    renameSync(join(transaction, 'next'), root);
  } catch {
    restore(root, join(transaction, 'old'));
  }
}

function restore(root: string, old: string): void {
  try {
    renameSync(old, root);
  } catch (error) {
    if (!isAbsence(error)) throw error; // there was nothing before
  }
}
