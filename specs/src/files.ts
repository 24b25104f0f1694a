import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SpecError } from './errors.ts';

// The one file of this module that touches the disk.

/** The folder of the package: the same for sources and for the built copy under `dist/`. */
export function packageRoot(): string {
  root ??= findRoot();
  return root;
}

let root: string | undefined;

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Of switchyard. */
export function readPackageVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(readText(join(packageRoot(), 'package.json')));
  return String(manifest.version);
}

/** The nearest folder that is wanted: this one, or one above it. */
export function findAbove(folder: string, isWanted: (folder: string) => boolean): string | undefined {
  if (isWanted(folder)) return folder;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder), isWanted);
}

/** Text that follows from one other text and takes long to make; `kind` says what was made of the input. */
export type Prebuilt = { readonly kind: string; readonly input: string; readonly output: string };

// Part of the built code only: sources may have changed since the build.
const prebuiltFolder = import.meta.filename.endsWith('.js')
  ? join(import.meta.dirname, '..', '..', 'prebuilt')
  : undefined;

/** The output that the build stored for exactly this input; undefined when there is none. */
export function readPrebuilt(kind: string, input: string): string | undefined {
  if (prebuiltFolder === undefined) return undefined;
  const path = join(prebuiltFolder, prebuiltName(kind, input));
  return existsSync(path) ? readText(path) : undefined;
}

const made = new Map<string, Promise<string>>();

/** The output for this input: as the build stored it, else as `make` gives it, once in a process. */
export async function readOrMake(kind: string, input: string, make: () => Promise<string>): Promise<string> {
  const prebuilt = readPrebuilt(kind, input);
  if (prebuilt !== undefined) return prebuilt;
  const name = prebuiltName(kind, input);
  const output = made.get(name) ?? make();
  made.set(name, output);
  return output;
}

/** The file of `dist/prebuilt` for an input. */
export function prebuiltName(kind: string, input: string): string {
  return `${kind}-${hash('sha256', input).slice(0, 32)}.txt`;
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
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
