import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, readOwnCatalog } from '../../specs/src/index.ts';
import { OptionError } from '../options.ts';

/** A model and the schema document a router serves for it. */
export type BenchDocument = { id: string; billing: string; root: JsonObject; bytes: Uint8Array };

/** The project's own catalog and the fixtures of the benches. */
export function readOwnDocuments(): BenchDocument[] {
  const own = readOwnCatalog().map(({ id, charges_on_policy_rejection, document }) =>
    makeDocument(id, charges_on_policy_rejection, document),
  );
  return [...own, ...readDocuments(join(import.meta.dirname, '..', 'fixtures'))];
}

/** Reads a folder in catalog form; throws OptionError for another folder. */
export function readDocuments(folder: string): BenchDocument[] {
  const catalog: unknown = readJson(join(folder, 'catalog.json'));
  if (!Array.isArray(catalog)) throw new OptionError(`bench: ${folder} holds no catalog.json with a list of models`);
  return catalog.filter(isJsonObject).map((entry) => {
    const id = String(entry['id']);
    const path = join(folder, 'models', ...id.split('/'), 'openapi.json');
    const root = readJson(path);
    if (!isJsonObject(root)) throw new OptionError(`bench: ${path} is missing or not a JSON object`);
    const billing = isJsonObject(entry['billing'])
      ? String(entry['billing']['charges_on_policy_rejection'])
      : 'unknown';
    return { id, billing, root, bytes: readFileSync(path) };
  });
}

export function makeDocument(id: string, billing: string, root: JsonObject): BenchDocument {
  return { id, billing, root, bytes: Buffer.from(JSON.stringify(root)) };
}

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
