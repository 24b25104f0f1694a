import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileExists } from './files.ts';

/** Where the package lies: the same folder for sources run directly and for the built copy under `dist/`. */
export function packageRoot(): string {
  root ??= findRoot();
  return root;
}

let root: string | undefined;

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!fileExists(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
