import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultBrand, isJsonObject, type JsonValue } from '../../specs/src/index.ts';
import { systemClock } from './clock.ts';
import { SandboxError } from './errors.ts';
import { produceOutput } from './models/produce-output.ts';
import { type CatalogModel, serveModel } from './models/served-model.ts';
import { parseJson } from './parse-json.ts';

export type { CatalogModel } from './models/served-model.ts';

/** `problems` is one line each, for people; a model with a problem that leaves nothing to serve is not among `models`. */
export type CatalogFolder = { models: CatalogModel[]; problems: string[] };

/**
 * Reads `catalog.json`, which must be a JSON list or a SandboxError is thrown, and `models/<provider>/<model>/openapi.json`. An entry without a document is left out, for every listed
 * model has one (MR-SCH-25); a document that is not a JSON object is served as it is, to test readers with it.
 */
export async function readCatalogFolder(folder: string): Promise<CatalogFolder> {
  const path = join(folder, 'catalog.json');
  const models: CatalogModel[] = [];
  const seen = new Set<string>();
  const problems = readEntries(path).flatMap((entry, index) => {
    const known = parseEntry(entry);
    if (known === undefined) return `${path}: entry ${index} is not a catalog entry`;
    if (seen.has(known.id)) return `${path}: ${known.id} is listed twice`;
    seen.add(known.id);
    return readModel(folder, known, models) ?? [];
  });
  const startedAt = systemClock.now();
  let tried = 0;
  for (const model of models.slice(0, triedAtMost)) {
    if (systemClock.now() - startedAt > triedForMs) break;
    const problem = findOutputProblem(model);
    if (problem !== undefined) problems.push(problem);
    tried += 1;
  }
  const others = models.length - tried;
  if (others > 0) problems.push(`${path}: outputs of the first ${tried} models were tried; ${others} others were not`);
  return { models, problems };
}

/** A sample takes milliseconds, and the sandbox starts afterwards. */
const triedAtMost = 1_000;
const triedForMs = 5_000;

/** Why a run of the model would be answered with 502; undefined when it would not. */
function findOutputProblem(model: CatalogModel): string | undefined {
  const served = serveModel(model, defaultBrand);
  const document = served.document();
  const output = document && produceOutput(served, document, { input: {}, seed: 1 });
  return output && 'because' in output ? output.because : undefined;
}

type FolderEntry = { id: string; provider: string; model: string; billing: string };

/** Adds a model to `models`; what is wrong with its document, if anything is. */
function readModel(
  folder: string,
  { id, provider, model, billing }: FolderEntry,
  models: CatalogModel[],
): string | undefined {
  const path = join(folder, 'models', provider, model, 'openapi.json');
  const bytes = readBytes(path);
  if (bytes === undefined) return `${id} is left out: ${path} cannot be read`;
  const document = parseJson(new TextDecoder().decode(bytes));
  models.push({ id, billing, bytes });
  return isJsonObject(document) ? undefined : `${id} is served as it is: ${path} holds no JSON object`;
}

// Segments become parts of a path below, so nothing but a slug passes.
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
  if (!Array.isArray(entries)) throw new SandboxError(`${path} holds no JSON list of models`);
  return entries;
}

// Before anything is served: to read thousands of small files one after another takes a seventh of what it takes at once.
function readBytes(path: string): Uint8Array | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path) : undefined; // a pipe or a device need not have an end
  } catch {
    return undefined;
  }
}
