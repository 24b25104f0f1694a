import { join } from 'node:path';
import { documentNames, type EffectiveSpecs } from './effective-specs.ts';
import { writeTextsAtomically } from './files.ts';
import { documentAsJson, printYaml } from './read-document.ts';

/**
 * Writes both effective documents as YAML and as JSON and says where. They hold local references only, so each file
 * stands alone. Throws SpecError when a file cannot be written; earlier files are then as they were.
 */
export async function writeEffectiveSpecs(specs: EffectiveSpecs, outDir: string): Promise<readonly string[]> {
  const files = [
    { name: documentNames.modelRouter, document: documentAsJson(specs.modelRouter) },
    { name: documentNames.workflowExecution, document: documentAsJson(specs.workflowExecution) },
  ].flatMap(({ name, document }) => [
    { path: join(outDir, name), text: printYaml(document) },
    { path: join(outDir, name.replace(/\.yaml$/, '.json')), text: `${JSON.stringify(document, null, 2)}\n` },
  ]);
  writeTextsAtomically(files);
  return files.map(({ path }) => path);
}
