import { appendFileSync, closeSync, fsyncSync, openSync } from 'node:fs';

/** Appends a line of JSON to a file, and returns when it is on disk. */
export function runNotes(file: string): (record: unknown) => void {
  return (record) => {
    const descriptor = openSync(file, 'a', 0o600);
    try {
      appendFileSync(descriptor, `${JSON.stringify(record)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };
}
