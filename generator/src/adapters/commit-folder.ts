import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Change, Committed } from '../ports.ts';
import { isAbsence } from './error-code.ts';
import { claimFolder, clearLeftovers, type Finish } from './folder-claim.ts';
import { finishReplacing, replaceFiles, stageFiles } from './replace-files.ts';
import { finishSwap, stageTree, swap } from './swap-folder.ts';

/**
 * The whole change or nothing of it. The new state is built beside the folder and takes its place by two renames; where
 * a folder cannot be moved, its files are replaced one by one after a journal that the next run finishes.
 */
export async function commitFolder(change: Change): Promise<Committed> {
  const root = realRoot(change.root);
  const claim = await claimFolder(placeFor(root), finishFor(root));
  try {
    const before = readText(join(root, change.last.path));
    if (before !== change.last.before) return 'stale';
    refuseLinks(root, [...change.writes.map(({ path }) => path), ...change.removals]);
    apply({ ...change, root }, claim.folder);
    return 'done';
  } finally {
    claim.release();
  }
}

/** Ends what killed runs had begun with the folder. */
export function recoverFolder(folder: string): void {
  const root = realRoot(folder);
  for (const place of [besides(root), within(root)]) clearLeftovers(place, finishFor(root));
}

// Whoever put a link there did not mean the files of another folder to be replaced, and not before the rest either.
function refuseLinks(root: string, paths: readonly string[]): void {
  const seen = new Set<string>(['.']);
  for (const path of paths) {
    for (let folder = dirname(path); !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder);
      if (lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true)
        throw new Error(`${folder} is a symbolic link, and nothing is written through one`);
    }
  }
}

function apply(change: Change, transaction: string): void {
  const next = join(transaction, 'next');
  const isMovable = dirname(transaction) === dirname(change.root) && !isInside(process.cwd(), change.root);
  if (isMovable && stageTree(change, next) && swap(change.root, transaction)) return;
  rmSync(next, { recursive: true, force: true });
  stageFiles(change, transaction);
  replaceFiles(change.root, transaction);
}

function finishFor(root: string): Finish {
  return (transaction) => {
    finishSwap(root, transaction);
    finishReplacing(root, transaction);
  };
}

function besides(root: string): string {
  return join(dirname(root), `.${basename(root)}.switchyard`);
}

function within(root: string): string {
  return join(root, '.switchyard-staging');
}

// A folder that is a mounted volume, or in a parent that is not ours, cannot be moved; what is staged lies within it.
function placeFor(root: string): string {
  const parent = dirname(root);
  if (!existsSync(root)) {
    mkdirSync(parent, { recursive: true });
    return besides(root);
  }
  try {
    accessSync(parent, constants.W_OK);
    return statSync(parent).dev === statSync(root).dev ? besides(root) : within(root);
  } catch {
    return within(root);
  }
}

function realRoot(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (isAbsence(error)) return resolve(folder);
    throw error;
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}${sep}`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
