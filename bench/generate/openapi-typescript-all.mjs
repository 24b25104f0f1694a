// Runs openapi-typescript on all documents of a folder in catalog form, in one process.
// `node openapi-typescript-all.mjs <catalog folder> <output folder>`
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const [, , source = '.', output = '.'] = process.argv;
const models = join(source, 'models');
for (const provider of readdirSync(models)) {
  mkdirSync(join(output, provider), { recursive: true });
  for (const model of readdirSync(join(models, provider))) {
    try {
      const types = astToString(await openapiTS(readFileSync(join(models, provider, model, 'openapi.json'))));
      writeFileSync(join(output, provider, `${model}.d.ts`), types);
    } catch {
      // openapi-typescript has already printed the problem; continue with the next document.
    }
  }
}
