import { existsSync, lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  asObject,
  type Brand,
  defaultBrand,
  extensionKey,
  isBrand,
  isJsonObject,
  type JsonObject,
  parseBrand,
} from '../../specs/src/index.ts';
import { systemClock } from './clock.ts';
import { SandboxError } from './errors.ts';
import { type CatalogModel, produceOutput, serveModel } from './models/served-model.ts';
import { parseJson } from './parse-json.ts';

/** `problems`: one line each. `models` does not contain models that cannot be served. */
export type CatalogFolder = { models: CatalogModel[]; problems: string[] };

/** Reads a folder with a catalog and its documents, or with generated packages. Throws SandboxError if it has no list of models. */
export async function readCatalogFolder(folder: string): Promise<CatalogFolder> {
  const path = join(folder, 'catalog.json');
  if (!existsSync(path) && existsSync(join(folder, lockName))) return collectCatalog(readGeneratedModels(folder));
  const bytes = readBytes(path);
  if (bytes === undefined) throw new SandboxError(`${path} cannot be read`);
  const entries = parseJson(new TextDecoder().decode(bytes));
  if (!Array.isArray(entries)) throw new SandboxError(`${path} must be a JSON array of models`);
  const seen = new Set<string>();
  const modelsOrProblems = entries.map((entry, index): FolderModel | string => {
    const { id, provider, model, billing: billingObject } = asObject(entry);
    const billing = asObject(billingObject)['charges_on_policy_rejection'];
    // Two slugs are safe in a file path.
    const isEntry = typeof id === 'string' && isModelId(id) && id === `${provider}/${model}`;
    if (!isEntry || typeof billing !== 'string') return `${path}: entry ${index} is not a valid catalog entry`;
    if (seen.has(id)) return `${path}: ${id} is listed twice`;
    seen.add(id);
    const file = join(folder, 'models', id, 'openapi.json'); // `collectCatalog` leaves a model without a document out (MR-SCH-25).
    return { id, billing, bytes: readBytes(file), path: file };
  });
  return collectCatalog(modelsOrProblems);
}

/** A model in a folder. `bytes`: undefined if the document cannot be read. `path`: file of the document, for messages. */
export type FolderModel = { id: string; billing: string; bytes: Uint8Array | undefined; path: string };

/** Collects the models to serve, and all problems. A string in `found` is a problem with a model that cannot be served. */
export function collectCatalog(found: readonly (FolderModel | string)[]): CatalogFolder {
  const models: CatalogModel[] = [];
  const problems = found.flatMap((one) => {
    if (typeof one === 'string') return one;
    const { id, billing, bytes, path } = one;
    if (!isModelId(id)) return `${id} is left out: it is not a model id`;
    if (bytes === undefined) return `${id} is left out: ${path} cannot be read`;
    const document = parseJson(new TextDecoder().decode(bytes));
    models.push({ id, billing, bytes });
    return isJsonObject(document)
      ? []
      : `${id} is served unchanged, but its runs will fail: ${path} does not contain a JSON object`;
  });
  return { models, problems: [...problems, ...findOutputProblems(models)] };
}

/** Maximum time for generating sample outputs, because it delays the start. */
const maxTrialMs = 5_000;

/** Generates a sample output per model, and returns a problem for each model whose runs would return a 502. */
function findOutputProblems(models: readonly CatalogModel[]): readonly string[] {
  const problems: string[] = [];
  const startedAt = systemClock.now();
  let tried = 0;
  for (const model of models) {
    if (systemClock.now() - startedAt > maxTrialMs) break;
    const served = serveModel(model, defaultBrand);
    const document = served.document();
    const output = document && produceOutput(served, document, { input: {}, seed: 1 });
    if (output && 'reason' in output) problems.push(output.reason);
    tried += 1;
  }
  const uncheckedCount = models.length - tried;
  if (uncheckedCount > 0)
    problems.push(
      `only checked the outputs of the first ${tried} models; ${uncheckedCount} more models were not checked`,
    );
  return problems;
}

const slug = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/;

export function isModelId(id: string): boolean {
  const [provider = '', model = '', ...more] = id.split('/');
  return provider.length <= 64 && model.length <= 128 && slug.test(provider) && slug.test(model) && more.length === 0;
}

const maxFileBytes = 128 * 1024 * 1024;

// Synchronous reads are seven times faster for thousands of small files. They block no caller, because the sandbox has not started.
function readBytes(path: string, stat: (path: string) => Stats = statSync): Uint8Array | undefined {
  try {
    const found = stat(path); // Only regular files are read, because reading a pipe or a device may never end.
    return found.isFile() && found.size <= maxFileBytes ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

// Reads generated packages as a catalog: the lockfile lists the models, and each model has a file with its schemas.
const lockName = 'switchyard.lock.json';
const schemaPath = /^models\/[\w@.-]+\/[\w@.-]+\.schema\.json$/;

function readGeneratedModels(folder: string): FolderModel[] {
  const lock = readObject(join(folder, lockName));
  if (lock === undefined || !isJsonObject(lock['models']))
    throw new SandboxError(`${join(folder, lockName)} has no list of models`);
  const brandWord = lock['brand'];
  const brand = typeof brandWord === 'string' && isBrand(brandWord) ? parseBrand(brandWord) : defaultBrand;
  return Object.entries(lock['models']).map(([id, value]) => {
    const { files, chargesOnPolicyRejection: billing } = asObject(value);
    const path = Object.keys(asObject(files)).find((one) => schemaPath.test(one) && !one.includes('..')) ?? '';
    const schemas = path === '' ? undefined : readObject(join(folder, path));
    const document = schemas && `${JSON.stringify(createDocument(id, schemas, brand), null, 2)}\n`;
    const bytes = document === undefined ? undefined : new TextEncoder().encode(document);
    return { id, billing: String(billing ?? 'unknown'), bytes, path: path || `the schemas of ${id}` };
  });
}

/** Reads a JSON file, unless it is too large or a link. Changes references to `$defs` into references to `components`. */
function readObject(path: string): JsonObject | undefined {
  const value = parseJson(readBytes(path, lstatSync) ?? '', (name, member) =>
    name === '$ref' ? String(member).replace(/^#\/\$defs\//, '#/components/schemas/') : member,
  );
  return isJsonObject(value) ? value : undefined;
}

function createDocument(id: string, schemas: JsonObject, brand: Brand): JsonObject {
  const { input, outputs, inputAuthored, outputAuthored, providers, $defs } = schemas;
  const { alternates } = asObject(providers);
  const alternateProviders = (Array.isArray(alternates) ? alternates : []).map((one) => {
    const { provider, modelId } = asObject(one);
    return { provider: provider ?? null, model_id: modelId ?? null };
  });
  const content = Object.entries(asObject(outputs)).map(([mediaType, schema]) => [mediaType, { schema }]);
  return {
    openapi: '3.1.0',
    info: { title: id, version: '1' },
    [extensionKey(brand, 'router-model-id')]: id,
    [extensionKey(brand, 'input-schema-authored')]: inputAuthored ?? true,
    [extensionKey(brand, 'output-schema-authored')]: outputAuthored ?? true,
    [extensionKey(brand, 'router-alt-providers')]: alternateProviders,
    paths: {
      [`/v2/models/${id}`]: {
        post: {
          operationId: 'runModel',
          requestBody: { required: true, content: { 'application/json': { schema: input ?? {} } } },
          responses: { 200: { description: 'The result of the model.', content: Object.fromEntries(content) } },
        },
      },
    },
    components: { schemas: $defs ?? {} },
  };
}
