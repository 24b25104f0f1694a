import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `node ask-validators.ts FOLDER FILE`: prints, by case, a value of the file that the input validator of `before` takes and that of `after` refuses. */
const [folder = '', file = ''] = process.argv.slice(2);
const cases: { index: number; id: string; values: unknown[] }[] = JSON.parse(readFileSync(file, 'utf8'));
const load = (side: string, id: string): Promise<{ isInput(value: unknown): boolean }> =>
  import(pathToFileURL(join(folder, side, 'models', `${id}.js`)).href);

const refused: [number, string][] = [];
for (const { index, id, values } of cases) {
  const [before, after] = [await load('before', id), await load('after', id)];
  const value = values.find((one) => before.isInput(one) && !after.isInput(one));
  if (value !== undefined) refused.push([index, JSON.stringify(value)]);
}
process.stdout.write(JSON.stringify(refused));
