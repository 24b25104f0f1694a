// The least that a given output costs: writes files that are in memory. `node write-files.mjs <list of paths and contents> <output folder>`
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, , list = '', output = '.'] = process.argv;
const made = new Set();
for (const [path, contents] of JSON.parse(readFileSync(list, 'utf8'))) {
  const target = join(output, path);
  const folder = dirname(target);
  if (!made.has(folder)) mkdirSync(folder, { recursive: true });
  made.add(folder);
  writeFileSync(target, contents);
}
