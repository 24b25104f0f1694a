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

/** Paths that move from `next` into the output, and paths that are removed. `.` is the whole output folder. */
type Journal = { readonly writes: readonly string[]; readonly removals: readonly string[] };

const journalName = 'journal.json';
const longestJournal = 64 * 1024 * 1024;

/**
 * Moves what was there to `old` and what is new from `next` into its place. The journal is written first, so that the
 * next generation can finish after a kill. When a step fails, everything is taken back and the failure is returned.
 */
export function exchange(root: string, staging: string, journal: Journal): unknown {
  writeFileSync(join(staging, 'journal.part'), JSON.stringify(journal));
  renameSync(join(staging, 'journal.part'), join(staging, journalName));
  return performExchange(root, staging, journal);
}

/** After a kill: ends an exchange that had begun, and clears the staging folder. */
export function finishExchange(root: string, staging: string): void {
  const journal = readJournal(staging);
  // A whole folder that is still in its place may have been edited since.
  const isBegun = journal !== undefined && !(journal.writes[0] === '.' && existsSync(root));
  if (isBegun) performExchange(root, staging, journal);
  for (const name of [journalName, 'next', 'old']) rmSync(join(staging, name), { recursive: true, force: true });
}

function performExchange(root: string, staging: string, journal: Journal): unknown {
  try {
    for (const path of journal.writes) {
      if (!existsSync(join(staging, 'next', path))) continue; // done before the kill
      setAside(root, staging, path);
      move(join(staging, 'next', path), join(root, path));
    }
    for (const path of journal.removals) {
      setAside(root, staging, path);
      removeEmptyFolders(root, dirname(path));
    }
    return undefined;
  } catch (error) {
    takeBack(root, staging, journal);
    return error;
  }
}

function setAside(root: string, staging: string, path: string): void {
  if (existsSync(join(root, path))) move(join(root, path), join(staging, 'old', path));
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

function takeBack(root: string, staging: string, { writes, removals }: Journal): void {
  for (const path of writes) {
    if (path === '.' || existsSync(join(staging, 'next', path))) continue; // never put in place
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
    // A pipe or a linked device need not have an end.
    if (!found.isFile() || found.size > longestJournal) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { writes, removals } = asObject(value);
    return arePaths(writes) && arePaths(removals) ? { writes, removals } : undefined;
  } catch {
    return undefined;
  }
}

// A journal may come from anyone who can write here; it must not reach out of the folder.
function arePaths(paths: unknown): paths is string[] {
  const isInside = (path: unknown): boolean =>
    typeof path === 'string' && /^[^/\\]+(?:\/[^/\\]+)*$/.test(path) && !path.split('/').includes('..');
  return Array.isArray(paths) && paths.every(isInside);
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

/**
 * Links everything that stays into `next`. False when the folder holds what cannot be linked (an installation, a
 * repository, a device), so that it has to be changed file by file.
 */
export function linkUnchanged(root: string, staging: string, dropped: ReadonlySet<string>): boolean {
  if (!existsSync(root)) return true;
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  if (!entries.every(isLinkable)) return false;
  const parents = new Set(entries.map(({ parentPath }) => parentPath));
  const made = new Set<string>();
  for (const entry of entries) {
    const source = join(entry.parentPath, entry.name);
    const path = relative(root, source);
    // A folder is made with what stays in it.
    if (dropped.has(path.replaceAll(sep, '/')) || parents.has(source)) continue;
    const target = join(staging, 'next', path);
    const folder = entry.isDirectory() ? target : dirname(target);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
  return true;
}

function isLinkable(entry: Dirent): boolean {
  if (entry.name === 'node_modules' || entry.name === '.git') return false;
  return entry.isDirectory() || entry.isFile() || entry.isSymbolicLink();
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // some file systems know no links
  }
}
