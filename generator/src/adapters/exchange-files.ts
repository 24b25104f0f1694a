import {
  copyFileSync,
  type Dirent,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { asObject } from '../../../specs/src/index.ts';

/** Paths to move from `next` into the output folder (`writes`) and to remove. `.` means the whole output folder. */
type Journal = { readonly writes: readonly string[]; readonly removals: readonly string[] };

const journalName = 'journal.json';
const longestJournal = 64 * 1024 * 1024;

/**
 * Moves the current files to `old`, and the new files from `next` to the output folder. The journal is written first, so
 * that the next run can finish the exchange if this process is killed. If a step fails, undoes all steps and returns the
 * error.
 */
export function exchangeFiles(root: string, staging: string, journal: Journal): unknown {
  writeFileSync(join(staging, 'journal.part'), JSON.stringify(journal));
  renameSync(join(staging, 'journal.part'), join(staging, journalName));
  return performExchange(root, staging, journal);
}

/** Finishes an exchange that a killed process left incomplete, and clears the staging folder. */
export function finishExchange(root: string, staging: string): void {
  const journal = readJournal(staging);
  // If the process was killed before it moved the whole folder, discard the exchange: the user may have edited files since.
  const isBegun = journal !== undefined && !(journal.writes[0] === '.' && existsSync(root));
  if (isBegun) performExchange(root, staging, journal);
  for (const name of [journalName, 'next', 'old']) rmSync(join(staging, name), { recursive: true, force: true });
}

function performExchange(root: string, staging: string, journal: Journal): unknown {
  const moveToOld = (path: string): void => {
    if (existsSync(join(root, path))) move(join(root, path), join(staging, 'old', path));
  };
  try {
    for (const path of journal.writes) {
      if (!existsSync(join(staging, 'next', path))) continue; // Moved before an earlier process was killed.
      moveToOld(path);
      move(join(staging, 'next', path), join(root, path));
    }
    for (const path of journal.removals) {
      moveToOld(path);
      removeEmptyFolders(root, dirname(path));
    }
    return undefined;
  } catch (error) {
    undoExchange(root, staging, journal);
    return error;
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

function undoExchange(root: string, staging: string, { writes, removals }: Journal): void {
  for (const path of writes) {
    if (path === '.' || existsSync(join(staging, 'next', path))) continue; // This file was not moved yet.
    renameSync(join(root, path), join(staging, 'next', path));
    removeEmptyFolders(root, dirname(path));
  }
  for (const path of [...writes, ...removals])
    if (existsSync(join(staging, 'old', path))) move(join(staging, 'old', path), join(root, path));
  rmSync(join(staging, journalName), { force: true });
}

function readJournal(staging: string): Journal | undefined {
  try {
    const file = join(staging, journalName);
    const found = lstatSync(file);
    // Reading a pipe or a device might never end.
    if (!found.isFile() || found.size > longestJournal) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { writes, removals } = asObject(value);
    return areInnerPaths(writes) && areInnerPaths(removals) ? { writes, removals } : undefined;
  } catch {
    return undefined;
  }
}

// Any process with access to the folder can write a journal, so reject paths that leave the folder.
function areInnerPaths(paths: unknown): paths is string[] {
  const isInside = (path: unknown): boolean =>
    typeof path === 'string' && /^[^/\\]+(?:\/[^/\\]+)*$/.test(path) && !path.split('/').includes('..');
  return Array.isArray(paths) && paths.every(isInside);
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current !== '.'; current = dirname(current)) {
    try {
      rmdirSync(join(root, current));
    } catch {
      return; // not empty, so its parents aren't empty either
    }
  }
}

/**
 * Hard-links all unchanged files into `next`. Returns false if the folder contains something that can't be linked
 * (`node_modules`, a repository, a device); the caller then has to exchange the files one by one.
 */
export function linkUnchanged(root: string, staging: string, dropped: ReadonlySet<string>): boolean {
  if (!existsSync(root)) return true;
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  const isLinkable = (entry: Dirent): boolean =>
    !['node_modules', '.git'].includes(entry.name) && (entry.isDirectory() || entry.isFile() || entry.isSymbolicLink());
  if (!entries.every(isLinkable)) return false;
  const parents = new Set(entries.map(({ parentPath }) => parentPath));
  const createdFolders = new Set<string>();
  for (const entry of entries) {
    const source = join(entry.parentPath, entry.name);
    const path = relative(root, source);
    // Folders are created together with the files in them.
    if (dropped.has(path.replaceAll(sep, '/')) || parents.has(source)) continue;
    const target = join(staging, 'next', path);
    const folder = entry.isDirectory() ? target : dirname(target);
    if (!createdFolders.has(folder)) mkdirSync(folder, { recursive: true });
    createdFolders.add(folder);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target); // some file systems don't support links
      }
    }
  }
  return true;
}
