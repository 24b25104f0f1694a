import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `node load-output.ts FOLDER`: imports every model script in an output folder. Prints a line for each script that fails or
 * changes globals.
 */
const folder = join(resolve(process.argv[2] ?? '.'), 'models');
const before = new Set(Reflect.ownKeys(globalThis));
const prototype = Reflect.ownKeys(Object.prototype).length;
const scripts = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
  : [];

for (const path of scripts.sort()) {
  try {
    await import(pathToFileURL(join(folder, path)).href);
  } catch (error) {
    process.stdout.write(`models/${path}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}\n`);
  }
  const added = Reflect.ownKeys(globalThis).filter((key) => !before.has(key));
  if (added.length > 0) process.stdout.write(`models/${path} ran foreign code: ${added.map(String).join(', ')}\n`);
  for (const key of added) before.add(key);
}
if (Reflect.ownKeys(Object.prototype).length !== prototype)
  process.stdout.write('a script added a member to Object.prototype\n');
