import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode, SpecError } from './errors.ts';

// The one file of this module that touches the disk.

let root: string | undefined;

/** The folder of the package: the same for sources and for the built copy under `dist/`. */
export function packageRoot(): string {
  root ??= findAbove(import.meta.dirname, (folder) => existsSync(join(folder, 'package.json'))) ?? '';
  return root;
}

const isBuilt = import.meta.filename.endsWith('.js');

/**
 * The URL of a module that a thread or another process loads. `path` is relative to the package and has no file
 * extension: the sources have `.ts`, the built copy below `dist/` has `.js`.
 */
export function moduleUrl(path: string): URL {
  return pathToFileURL(join(packageRoot(), isBuilt ? `dist/${path}.js` : `${path}.ts`));
}

/** Returns the version of the switchyard package. */
export function readPackageVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(readText(join(packageRoot(), 'package.json')));
  return String(manifest.version);
}

/** The nearest folder that is wanted: this one, or one above it. */
export function findAbove(folder: string, isWanted: (folder: string) => boolean): string | undefined {
  if (isWanted(folder)) return folder;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder), isWanted);
}

// Part of the built code only: sources may have changed since the build.
const prebuiltFolder = isBuilt ? join(packageRoot(), 'dist/prebuilt') : undefined;

const made = new Map<string, string | Promise<string>>();

/**
 * Text that follows from one other text and takes long to make: as the build stored it, else as `make` gives it, once in a
 * process. `kind` says what is made of the input.
 */
export function readOrMake<Made extends string | Promise<string>>(
  kind: string,
  input: string,
  make: () => Made,
): Made | string {
  const name = `${kind}-${hash('sha256', input).slice(0, 32)}.txt`;
  const path = prebuiltFolder === undefined ? undefined : join(prebuiltFolder, name);
  if (path !== undefined && existsSync(path)) return readText(path);
  const output = (made.get(name) as Made | undefined) ?? make(); // of one kind are made by one function
  made.set(name, output);
  return output;
}

/** For the build: stores all that was made in this process. */
export async function storeMade(): Promise<void> {
  const files = [...made].map(async ([name, output]) => ({
    path: join(prebuiltFolder ?? '', name),
    text: await output,
  }));
  writeTexts(await Promise.all(files));
}

/** The text of a UTF-8 file. Throws SpecError with the path when it cannot be read or is not UTF-8. */
export function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new SpecError(`cannot be read (${describeCause(cause)})`, { place: path, cause });
  }
}

/** Makes a folder and those above it; whether it was made. `mkdirSync` with `recursive` never ends where no name is taken (/proc). */
export function makeFolder(folder: string, mode = 0o777): boolean {
  const isThere = (): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return false;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
    return true;
  } catch (error) {
    if (!isThere()) throw error;
    return false;
  }
}

/** Writes each file under another name and renames it. Throws SpecError; no file is half written then. */
export function writeTexts(files: readonly { path: string; text: string }[]): void {
  for (const { path, text } of files) {
    const temporary = `${path}.part`;
    try {
      makeFolder(dirname(path));
      writeFileSync(temporary, text);
      renameSync(temporary, path);
    } catch (cause) {
      throw new SpecError(`cannot be written (${describeCause(cause)})`, { place: path, cause });
    } finally {
      if (existsSync(temporary)) rmSync(temporary);
    }
  }
}

function describeCause(cause: unknown): string {
  return errorCode(cause) || (cause instanceof Error ? cause.message : String(cause));
}
