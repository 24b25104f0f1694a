import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  asObject,
  type Brand,
  defaultBrand,
  extensionKey,
  isBrand,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseBrand,
} from '../../specs/src/index.ts';
import { SandboxError } from './errors.ts';
import { parseJson } from './parse-json.ts';

// Reads generated packages as a catalog: `switchyard.lock.json` lists the models, and each has a file with its schemas.

export const lockName = 'switchyard.lock.json';
/** A generated model, with a document built from its schemas; undefined if the file with schemas is missing. */
export type GeneratedModel = { id: string; billing: string; document: JsonObject | undefined; path: string };

const largestFile = 128 * 1024 * 1024;
const schemaPath = /^models\/[\w@.-]+\/[\w@.-]+\.schema\.json$/;

/** Throws SandboxError if the lockfile has no list of models. */
export function readGeneratedModels(folder: string): GeneratedModel[] {
  const lock = readObject(join(folder, lockName));
  if (lock === undefined || !isJsonObject(lock['models']))
    throw new SandboxError(`${join(folder, lockName)} has no list of models`);
  const word = lock['brand'];
  const brand = typeof word === 'string' && isBrand(word) ? parseBrand(word) : defaultBrand;
  return Object.entries(lock['models']).map(([id, value]) => {
    const { files, chargesOnPolicyRejection: billing } = asObject(value);
    const path = Object.keys(asObject(files)).find((one) => schemaPath.test(one) && !one.includes('..')) ?? '';
    const schemas = path === '' ? undefined : readObject(join(folder, path));
    const document = schemas === undefined ? undefined : makeDocument(id, schemas, brand);
    return { id, billing: String(billing ?? 'unknown'), document, path: path || `the schemas of ${id}` };
  });
}

// In a checkout, a file may be huge or a link to a device.
function readObject(path: string): JsonObject | undefined {
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.size > largestFile) return undefined;
    const value = parseJson(readFileSync(path, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Builds the OpenAPI document of a model from the schemas that `generate` wrote. */
function makeDocument(id: string, schemas: JsonObject, brand: Brand): JsonObject {
  const { input, outputs, inputAuthored, outputAuthored, providers, $defs } = withComponents(schemas) as JsonObject;
  const { alternates } = asObject(providers);
  const named = (Array.isArray(alternates) ? alternates : []).map((one) => {
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
    [extensionKey(brand, 'router-alt-providers')]: named,
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

/** Moves definitions to components, where an OpenAPI document has them. */
function withComponents(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withComponents);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => {
    const isReference = name === '$ref' && typeof inner === 'string' && inner.startsWith('#/$defs/');
    return [name, isReference ? inner.replace('#/$defs/', '#/components/schemas/') : withComponents(inner)];
  });
  return Object.fromEntries(members);
}
