import { dirname } from 'node:path';

/** The nearest folder that is wanted: this one, or one above it. */
export function findAbove(folder: string, isWanted: (folder: string) => boolean): string | undefined {
  if (isWanted(folder)) return folder;
  return dirname(folder) === folder ? undefined : findAbove(dirname(folder), isWanted);
}
