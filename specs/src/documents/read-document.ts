import { createRequire } from 'node:module';
import { SpecError } from '../errors.ts';
import { readOrCreateText, readText } from '../files.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

export type Schema = JsonObject | boolean;

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** The top level of one of the two OpenAPI 3.1 documents; `listOperations` reads the operations. */
// An intersection, because optional members together with an index signature don't compile without `exactOptionalPropertyTypes`.
export type OpenApiDocument = JsonObject & {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: JsonObject[];
  paths: Record<string, JsonObject>;
  components: Record<string, Record<string, JsonValue>>;
  security?: Record<string, string[]>[];
};

const load = createRequire(import.meta.url); // Loads the YAML parser on first use, because many programs only read JSON.

function yamlLibrary(): typeof import('yaml') {
  return load('yaml') as typeof import('yaml'); // `createRequire` returns any.
}

/** Parses YAML 1.2, which includes JSON. Throws SpecError; `place` is the source in its message. */
export function parseYaml(text: string, place: string): JsonValue {
  try {
    // Without the alias limit, a few lines could expand to gigabytes. Warnings are off, because they print lines of the
    // file.
    return asJsonValue(yamlLibrary().parse(text, { uniqueKeys: true, maxAliasCount: 100, logLevel: 'error' }), place);
  } catch (cause) {
    if (cause instanceof SpecError) throw cause;
    const reason = cause instanceof Error ? cause.message : 'not YAML';
    throw new SpecError(reason.split('\n', 1)[0] ?? reason, { place, cause });
  }
}

/** Reads a YAML file as JSON. Throws SpecError. */
export function readYaml(path: string): JsonValue {
  const text = readText(path);
  return JSON.parse(readOrCreateText('document', text, () => JSON.stringify(parseYaml(text, path))));
}

/** Prints YAML with keys in the given order, without anchors or line wrapping. */
export function printYaml(value: JsonValue): string {
  return yamlLibrary().stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Checks the top level of an OpenAPI 3.1 document. Throws SpecError if it is malformed. */
export function parseDocument(value: JsonValue, place: string): OpenApiDocument {
  if (!isJsonObject(value)) throw new SpecError('is not an object', { place });
  if (typeof value['openapi'] !== 'string' || !value['openapi'].startsWith('3.1.')) {
    throw new SpecError('is not an OpenAPI 3.1 document', { place });
  }
  const info = value['info'];
  if (!isJsonObject(info) || typeof info['title'] !== 'string' || typeof info['version'] !== 'string') {
    throw new SpecError('info must have a title and a version', { place });
  }
  if (!isObjectOfObjects(value['paths'])) throw new SpecError('paths must be an object of objects', { place });
  const components = value['components'] ?? {};
  if (!isObjectOfObjects(components)) throw new SpecError('components must be an object of objects', { place });
  // Only the top level is checked here; `listOperations` checks the operations.
  return { ...value, components } as OpenApiDocument;
}

function isObjectOfObjects(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every((inner) => isJsonObject(inner));
}

// YAML has values that JSON doesn't have: NaN, dates, and maps whose keys aren't strings.
function asJsonValue(value: unknown, place: string): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((inner: unknown) => asJsonValue(inner, place));
  if (isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJsonValue(inner, place)]));
  }
  throw new SpecError(`contains a value that JSON does not support: ${String(value)}`, { place });
}
