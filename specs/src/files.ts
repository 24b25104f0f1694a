import { hash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorCode, SpecError } from './errors.ts';

// All code of `specs/src` that reads or writes files is here.

let root: string | undefined;

/** Returns the folder of the package, for both the sources and the built copy under `dist/`. */
export function packageRoot(): string {
  root ??= findNearestFolder(import.meta.dirname, (folder) => existsSync(join(folder, 'package.json'))) ?? '';
  return root;
}

const isBuilt = import.meta.filename.endsWith('.js');

/**
 * Returns the URL of a module for a thread or another process. `path` is relative to the package and has no file extension,
 * because sources end in `.ts` and built modules in `.js`.
 */
export function moduleUrl(path: string): URL {
  return pathToFileURL(join(packageRoot(), isBuilt ? `dist/${path}.js` : `${path}.ts`));
}

/** Returns the version of the switchyard package. */
export function readPackageVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(readText(join(packageRoot(), 'package.json')));
  return String(manifest.version);
}

const importHelp: readonly (readonly [RegExp, string])[] = [
  // Happens with npx, which installs the package elsewhere.
  [/find package 'openapi-switchyard'/, 'install it there as well, or import only its types'],
  [/Unknown file extension "\.m?ts"/, 'remove --no-experimental-strip-types from NODE_OPTIONS'],
  // The nearest package.json declares CommonJS, as in a new package.
  [
    /outside a module|Unexpected token 'export'/,
    'end its name with .mts or .mjs, or set "type": "module" in package.json',
  ],
];

/** Explains why a user's program cannot be loaded and, for known reasons, what to do about it. */
export function describeImportFailure(file: string, cause: unknown): string {
  const because = (cause instanceof Error ? cause.message : String(cause)).replace(/\s*\n\s*/g, ' ').trim();
  const [, help] = importHelp.find(([pattern]) => pattern.test(because)) ?? [];
  return `${file} cannot be loaded: ${because}${help === undefined ? '' : `: ${help}`}`;
}

/** Returns the nearest folder for which `isWanted` is true: the given one or one of its parents. */
export function findNearestFolder(folder: string, isWanted: (folder: string) => boolean): string | undefined {
  if (isWanted(folder)) return folder;
  return dirname(folder) === folder ? undefined : findNearestFolder(dirname(folder), isWanted);
}

// The sources don't use the texts of the build, because they may have changed since. The processes of a test run share
// texts in a folder of the run.
const textFolder = isBuilt ? join(packageRoot(), 'dist/prebuilt') : process.env['SWITCHYARD_TEST_TEXTS'];

const createdTexts = new Map<string, string | Promise<string>>();

/**
 * Returns a text that takes long to create from an input: the text stored by the build, or else the result of `make`,
 * which is called once for each input. `kind`: beginning of the file name of the stored text.
 */
export function readOrCreateText<Made extends string | Promise<string>>(
  kind: string,
  input: string,
  make: () => Made,
): Made | string {
  const name = `${kind}-${hash('sha256', input).slice(0, 32)}.txt`;
  const known = createdTexts.get(name) as Made | undefined; // All texts of a kind have the same type.
  if (known !== undefined) return known;
  const path = textFolder === undefined ? undefined : join(textFolder, name);
  const isStored = path !== undefined && existsSync(path);
  const output = isStored ? readText(path) : make();
  createdTexts.set(name, output);
  if (path !== undefined && !isStored && !isBuilt) void shareText(path, output);
  return output;
}

/** Stores a text for the other processes of a test run. */
async function shareText(path: string, output: string | Promise<string>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    writeFileSync(temporary, await output);
    renameSync(temporary, path);
  } catch {
    // Ignored: the test run has ended, or `make` failed and the caller already gets its error.
  }
}

/** Stores all texts created in this process, for the build. */
export async function storeCreatedTexts(): Promise<void> {
  const files = [...createdTexts].map(async ([name, output]) => ({
    path: join(textFolder ?? '', name),
    text: await output,
  }));
  writeTexts(await Promise.all(files));
}

/** Reads a UTF-8 file. Throws SpecError with the path if it can't be read or isn't UTF-8. */
export function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new SpecError(`cannot be read (${describeCause(cause)})`, { place: path, cause });
  }
}

/** Creates a folder and its parents; true if it was created. (`mkdirSync` with `recursive` never ends in /proc.) */
export function createFolder(folder: string, mode = 0o777): boolean {
  const isThere = (): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return false;
  if (!existsSync(dirname(folder))) createFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
    return true;
  } catch (error) {
    if (!isThere()) throw error;
    return false;
  }
}

/** Writes each file under a temporary name and renames it, so that no file is ever partly written. Throws SpecError. */
export function writeTexts(files: readonly { path: string; text: string }[]): void {
  for (const { path, text } of files) {
    const temporary = `${path}.part`;
    try {
      createFolder(dirname(path));
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
