import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Bytes } from '../ports.ts';

/** Writes a new file, piece by piece where it comes so. */
export function writeBytes(path: string, bytes: Bytes, mode: number = 0o666): void {
  if (typeof bytes !== 'function') {
    writeFileSync(path, bytes, { mode });
    return;
  }
  const descriptor = openSync(path, 'w', mode);
  try {
    for (const piece of bytes()) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}
