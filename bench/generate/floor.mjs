// The lower bound for a type generator: reads and parses each document and writes a string to a file.
// `node floor.mjs <catalog folder> <output folder>`
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , source = '.', output = '.'] = process.argv;
const models = join(source, 'models');
for (const provider of readdirSync(models)) {
  mkdirSync(join(output, provider), { recursive: true });
  for (const model of readdirSync(join(models, provider))) {
    const document = JSON.parse(readFileSync(join(models, provider, model, 'openapi.json'), 'utf8'));
    const types = JSON.stringify(document.components?.schemas ?? {}, undefined, 2);
    writeFileSync(join(output, provider, `${model}.d.ts`), `export type Model = ${types};\n`);
  }
}
