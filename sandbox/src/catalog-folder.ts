import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultBrand, isJsonObject, type JsonValue } from '../../specs/src/index.ts';
import { systemClock } from './clock.ts';
import { SandboxError } from './errors.ts';
import { lockName, readGeneratedModels } from './generated-catalog.ts';
import { produceOutput } from './models/produce-output.ts';
import { type CatalogModel, serveModel } from './models/served-model.ts';
import { parseJson } from './parse-json.ts';

/** `problems` has one readable line each; a model that cannot be served because of a problem is not among `models`. */
export type CatalogFolder = { models: CatalogModel[]; problems: string[] };

/**
 * Reads `catalog.json`, which must be a JSON list or a SandboxError is thrown, and `models/<provider>/<model>/openapi.json`. An entry
 * without a document is left out, for every listed model has one (MR-SCH-25); a document that is not a JSON object is served as it
 * is, to test readers with it. For a folder that `generate` wrote with schemas, the models are those of its lockfile.
 */
export async function readCatalogFolder(folder: string): Promise<CatalogFolder> {
  const path = join(folder, 'catalog.json');
  if (!existsSync(path) && existsSync(join(folder, lockName))) {
    const found = readGeneratedModels(folder).map(({ document, ...model }) => ({
      ...model,
      bytes: document && new TextEncoder().encode(`${JSON.stringify(document, null, 2)}\n`),
    }));
    return collectCatalog(found);
  }
  const seen = new Set<string>();
  const found: (FoundModel | string)[] = [];
  for (const [index, entry] of readEntries(path).entries()) {
    const known = parseEntry(entry);
    if (known === undefined) found.push(`${path}: entry ${index} is not a catalog entry`);
    else if (seen.has(known.id)) found.push(`${path}: ${known.id} is listed twice`);
    else {
      seen.add(known.id);
      const { id, billing, provider, model } = known;
      const file = join(folder, 'models', provider, model, 'openapi.json');
      found.push({ id, billing, bytes: readBytes(file), path: file });
    }
  }
  return collectCatalog(found);
}

type FolderEntry = { id: string; provider: string; model: string; billing: string };
/** `path`: where its document is, for messages; `bytes` is undefined where that cannot be read. */
export type FoundModel = { id: string; billing: string; bytes: Uint8Array | undefined; path: string };

/**
 * Collects the models that can be served, and a line for each model that cannot, or that is served although its document cannot
 * be read. A text among `found` is a line about a model that cannot be served.
 */
export function collectCatalog(found: readonly (FoundModel | string)[]): CatalogFolder {
  const models: CatalogModel[] = [];
  const problems = found.flatMap((one) => {
    if (typeof one === 'string') return one;
    const { id, billing, bytes, path } = one;
    if (!isModelId(id)) return `${id} is left out: it is not a model id`;
    if (bytes === undefined) return `${id} is left out: ${path} cannot be read`;
    const document = parseJson(new TextDecoder().decode(bytes));
    models.push({ id, billing, bytes });
    return isJsonObject(document) ? [] : `${id} is served as it is: ${path} holds no JSON object`;
  });
  return { models, problems: [...problems, ...tryOutputs(models)] };
}

/** Limits of trying sample outputs: each takes milliseconds, and the sandbox doesn't start until all are done. */
const triedAtMost = 1_000;
const triedForMs = 5_000;

/** A line for each model whose runs would get a 502. */
function tryOutputs(models: readonly CatalogModel[]): readonly string[] {
  const problems: string[] = [];
  const startedAt = systemClock.now();
  let tried = 0;
  for (const model of models.slice(0, triedAtMost)) {
    if (systemClock.now() - startedAt > triedForMs) break;
    const served = serveModel(model, defaultBrand);
    const document = served.document();
    const output = document && produceOutput(served, document, { input: {}, seed: 1 });
    if (output && 'because' in output) problems.push(output.because);
    tried += 1;
  }
  const others = models.length - tried;
  if (others > 0) problems.push(`outputs of the first ${tried} models were tried; ${others} others were not`);
  return problems;
}

// Segments become parts of a path below, so only slugs are accepted.
const slug = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;

function parseEntry(entry: JsonValue): FolderEntry | undefined {
  if (!isJsonObject(entry) || !isJsonObject(entry['billing'])) return undefined;
  const { id, provider, model } = entry;
  const billing = entry['billing']['charges_on_policy_rejection'];
  if (!isSlug(provider, 64) || !isSlug(model, 128) || typeof billing !== 'string') return undefined;
  return id === `${provider}/${model}` ? { id, provider, model, billing } : undefined;
}

export function isModelId(id: string): boolean {
  const [provider, model, ...more] = id.split('/');
  return isSlug(provider, 64) && isSlug(model, 128) && more.length === 0;
}

function isSlug(value: JsonValue | undefined, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest && slug.test(value);
}

function readEntries(path: string): JsonValue[] {
  const bytes = readBytes(path);
  if (bytes === undefined) throw new SandboxError(`${path} cannot be read`);
  const entries = parseJson(new TextDecoder().decode(bytes));
  if (!Array.isArray(entries)) throw new SandboxError(`${path} must be a JSON list of models`);
  return entries;
}

// Synchronous, because nothing is served yet: thousands of small files are read seven times faster than concurrently.
function readBytes(path: string): Uint8Array | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path) : undefined; // a pipe or a device need not have an end
  } catch {
    return undefined;
  }
}
