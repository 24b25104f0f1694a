import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SpecError } from './errors.ts';

// The one file of this wing that touches the disk.

export function fileExists(path: string): boolean {
  return existsSync(path);
}

/** The text of a UTF-8 file; a SpecError naming the file when it cannot be read or is not UTF-8. */
export function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    throw new SpecError(`cannot be read (${reasonOf(cause)})`, { place: path, cause });
  }
}

/** Writes all beside their final names before it renames any: a reader sees old texts or new ones, never half a text. */
export function writeTextsAtomically(files: readonly { path: string; text: string }[]): void {
  const staged = files.map((file) => ({ ...file, temporary: `${file.path}.part` }));
  let current = '';
  try {
    for (const { path, text, temporary } of staged) {
      current = path;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(temporary, text);
    }
    for (const { path, temporary } of staged) {
      current = path;
      renameSync(temporary, path);
    }
  } catch (cause) {
    discard(staged.map(({ temporary }) => temporary));
    throw new SpecError(`cannot be written (${reasonOf(cause)})`, { place: current, cause });
  }
}

// Tidying up must not hide why it is needed: below a file that stands where a folder should, even this fails.
function discard(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmSync(path, { force: true });
    } catch {}
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
