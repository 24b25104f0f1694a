// Written beside the built code: everything that follows from the published files alone and would need a compiler or parser at each start.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePorts, prebuildPackages } from '../generator/src/index.ts';
import { prebuildDocuments, prebuildRequirements, prebuiltName } from '../specs/src/index.ts';

const folder = join(import.meta.dirname, '..', 'prebuilt');
mkdirSync(folder, { recursive: true });
for (const { kind, input, output } of [
  ...(await prebuildDocuments()),
  ...prebuildRequirements(),
  ...(await prebuildPackages(nodePorts().files)),
]) {
  writeFileSync(join(folder, prebuiltName(kind, input)), output);
}
