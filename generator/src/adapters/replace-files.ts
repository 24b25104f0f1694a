import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Change } from '../ports.ts';
import { errorCode, isAbsence } from './error-code.ts';
import { writeBytes } from './write-bytes.ts';

/** What is to happen to the files of a folder, told beside the new files: enough to finish it, or to take it back. */
type Journal = { readonly writes: readonly string[]; readonly removals: readonly string[] };

const journalName = 'journal.json';

/** Writes all new files and the journal aside; the folder itself is as it was. */
export function stageFiles(change: Change, transaction: string): void {
  for (const folder of ['files', 'before', 'removed']) mkdirSync(join(transaction, folder), { recursive: true });
  const files = [...change.writes, change.last];
  files.forEach(({ bytes }, index) => {
    writeBytes(join(transaction, 'files', String(index)), bytes);
  });
  const journal: Journal = { writes: files.map(({ path }) => path), removals: change.removals };
  writeFileSync(join(transaction, 'journal.part'), JSON.stringify(journal));
  renameSync(join(transaction, 'journal.part'), join(transaction, journalName));
}

/** Does what the journal says and has not been done; throws, and has taken everything back, when a place refuses its file. */
export function replaceFiles(root: string, transaction: string): void {
  const journal = readJournal(transaction);
  if (journal === undefined) return;
  try {
    journal.writes.forEach((path, index) => {
      placeFile(join(root, path), transaction, String(index));
    });
    journal.removals.forEach((path, index) => {
      moveIfThere(join(root, path), join(transaction, 'removed', String(index)));
      removeEmptyFolders(root, dirname(path));
    });
  } catch (error) {
    takeBack(root, transaction, journal);
    throw error;
  }
}

/** After a kill: what had begun is finished, or taken back where that is not possible. */
export function finishReplacing(root: string, transaction: string): void {
  try {
    replaceFiles(root, transaction);
  } catch {
    // All was taken back; the run that asks for this will meet the obstacle itself and report it.
  }
}

function readJournal(transaction: string): Journal | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(transaction, journalName), 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('writes' in value) || !('removals' in value)) return undefined;
  const { writes, removals } = value;
  return isInside(writes) && isInside(removals) ? { writes, removals } : undefined;
}

// A journal may have been left by anyone who can write here; it must not reach further than the folder.
function isInside(paths: unknown): paths is string[] {
  return (
    Array.isArray(paths) &&
    paths.every(
      (path) => typeof path === 'string' && /^[^/\\]+(?:\/[^/\\]+)*$/.test(path) && !path.split('/').includes('..'),
    )
  );
}

function placeFile(target: string, transaction: string, index: string): void {
  const aside = join(transaction, 'files', index);
  if (!existsSync(aside)) return; // done before the kill
  mkdirSync(dirname(target), { recursive: true });
  keepBackup(target, join(transaction, 'before', index));
  renameSync(aside, target);
}

function keepBackup(target: string, backup: string): void {
  try {
    linkSync(target, backup);
  } catch (error) {
    if (isAbsence(error) || errorCode(error) === 'EEXIST') return;
    copyFileSync(target, backup); // some file systems know no links
  }
}

function takeBack(root: string, transaction: string, { writes, removals }: Journal): void {
  removals.forEach((path, index) => {
    const removed = join(transaction, 'removed', String(index));
    if (!existsSync(removed)) return;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    moveIfThere(removed, join(root, path));
  });
  writes.forEach((path, index) => {
    const before = join(transaction, 'before', String(index));
    if (existsSync(before)) renameSync(before, join(root, path));
    else if (!existsSync(join(transaction, 'files', String(index)))) {
      rmSync(join(root, path), { force: true });
      removeEmptyFolders(root, dirname(path));
    }
  });
  rmSync(join(transaction, journalName), { force: true });
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current !== '.'; current = dirname(current)) {
    try {
      rmdirSync(join(root, current));
    } catch {
      return; // not empty, so neither are the folders above
    }
  }
}
