import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../ports.ts';
import { isAbsence } from './error-code.ts';
import { spareMemory } from './spare-memory.ts';

const inMemoryAtMost = 16 * 1024 * 1024;
const slabSize = 1024 * 1024;

/**
 * Bytes beyond what memory is meant for go to a file that only this process can read, and that is gone when it ends.
 * A run that needs it is a large one, and goes on as one that spares memory.
 */
export function openSpool(room: number = inMemoryAtMost): Spool {
  const keepInSlabs = createSlabs();
  let held = 0;
  let file: SpoolFile | undefined;
  const opened: (() => void)[] = [];
  return {
    open(path) {
      const descriptor = openIfFile(path);
      if (descriptor === undefined) return undefined;
      opened.push(() => closeSync(descriptor));
      const { size } = fstatSync(descriptor);
      if (size > room) opened.push(spareMemory());
      return { size, read: (at, length) => readBack(descriptor, at, length) };
    },
    keep(bytes) {
      held += bytes.length;
      if (held <= room) return keepInSlabs(bytes);
      file ??= openFile();
      return file.append(bytes);
    },
    close() {
      file?.close();
      file = undefined;
      for (const close of opened.splice(0)) close();
    },
  };
}

// Thousands of small buffers of their own would cost several times what they hold.
function createSlabs(): Spool['keep'] {
  let slab = new Uint8Array(0);
  let end = 0;
  return (bytes) => {
    if (end + bytes.length > slab.length) {
      slab = new Uint8Array(Math.max(slabSize, bytes.length));
      end = 0;
    }
    const kept = slab.subarray(end, end + bytes.length);
    kept.set(bytes);
    end += bytes.length;
    return () => kept;
  };
}

type SpoolFile = { append(bytes: Uint8Array): () => Uint8Array; close(): void };

function openFile(): SpoolFile {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-spool-'));
  const descriptor = openSync(join(folder, 'spool'), 'wx+', 0o600);
  // Without a name it goes with the process, however that ends. Some systems keep the names of open files.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    remove();
  } catch {}
  const endSparing = spareMemory();
  let end = 0;
  return {
    append(bytes) {
      const at = end;
      const { length } = bytes;
      for (let written = 0; written < length; )
        written += writeSync(descriptor, bytes, written, length - written, at + written);
      end += length;
      return () => readBack(descriptor, at, length);
    },
    close() {
      endSparing();
      closeSync(descriptor);
      remove();
    },
  };
}

function openIfFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function readBack(descriptor: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let read = 0; read < length; ) {
    const count = readSync(descriptor, bytes, read, length - read, at + read);
    if (count === 0) throw new Error('what was put aside cannot be read back');
    read += count;
  }
  return bytes;
}
