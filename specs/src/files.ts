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

/** Writes beside the final name and renames, so that a reader sees the old text or the new one. */
export function writeTextAtomically(path: string, text: string): void {
  const temporary = `${path}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new SpecError(`cannot be written (${reasonOf(cause)})`, { place: path, cause });
  }
}

function reasonOf(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
