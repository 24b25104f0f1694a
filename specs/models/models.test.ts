import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  compileSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  packageRoot,
  resolvePointer,
} from '../src/index.ts';

const folder = join(packageRoot(), 'specs', 'models');

function parse(path: string): JsonValue {
  const value: unknown = JSON.parse(readFileSync(join(folder, path), 'utf8'));
  return value as JsonValue; // JSON.parse returns only such values.
}

function objectAt(root: JsonValue, pointer: string): JsonObject {
  const value = resolvePointer(root, pointer);
  if (!isJsonObject(value)) throw new Error(`no object at ${pointer}`);
  return value;
}

const catalog = parse('catalog.json');
if (!Array.isArray(catalog)) throw new Error('the catalog is an array');
const entries = catalog.filter(isJsonObject);
const ids = entries.map((entry) => String(entry['id']));
const documents = new Map(ids.map((id) => [id, parse(`${id}.openapi.json`)]));

function findDocument(id: string): JsonObject {
  const document = documents.get(id);
  if (!isJsonObject(document)) throw new Error(`no document of ${id}`);
  return document;
}

const locateOperation = (id: string): string => `/paths/~1v2~1models~1${id.replace('/', '~1')}/post`;
const locateInput = (id: string): string => `${locateOperation(id)}/requestBody/content/application~1json`;
const locateOutputs = (id: string): string => `${locateOperation(id)}/responses/200/content`;

function collect(node: JsonValue, key: string): JsonValue[] {
  if (Array.isArray(node)) return node.flatMap((inner) => collect(inner, key));
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...collect(inner, key)]);
}

function exampleProblems(id: string, media: JsonObject): readonly unknown[] {
  const document = findDocument(id);
  const schema = media['schema'];
  if (!isJsonObject(schema)) return ['no schema'];
  const example = Object.hasOwn(media, 'example') ? media['example'] : schema['example'];
  if (example === undefined) return ['no example'];
  return compileSchema(schema, { root: document })(example);
}

test('the catalog lists exactly the models that have a file', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.openapi.json'))
    .map((path) => path.replaceAll('\\', '/').replace(/\.openapi\.json$/, ''));
  expect(new Set(ids)).toEqual(new Set(files));
  expect(ids).toHaveLength(new Set(ids).size);
  for (const entry of entries) expect(entry['id']).toBe(`${String(entry['provider'])}/${String(entry['model'])}`);
});

describe.each(ids)('%s', (id) => {
  const document = findDocument(id);

  test('a model document has its id in its root keys, its title and its path', () => {
    expect(document).toMatchObject({
      'x-service-router-model-id': id,
      info: { title: id, version: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
    expect(Object.keys(objectAt(document, '/paths'))).toEqual([`/v2/models/${id}`]);
    for (const key of ['input', 'output']) {
      expect(document[`x-service-${key}-schema-authored`]).toBeTypeOf('boolean');
      expect(document[`x-service-router-${key}-modalities`]).not.toHaveLength(0);
    }
  });

  test('a model document contains the target of every reference', () => {
    const dangling = collect(document, '$ref').filter(
      (reference) =>
        typeof reference === 'string' && resolvePointer(document, reference.replace(/^#/, '')) === undefined,
    );
    expect(dangling).toEqual([]);
  });

  test('a model document has valid input and output examples', () => {
    const medias = [
      objectAt(document, locateInput(id)),
      ...Object.values(objectAt(document, locateOutputs(id))).filter(isJsonObject),
    ];
    for (const media of medias) expect(exampleProblems(id, media)).toEqual([]);
  });

  test('a model document only lists alternates in the catalog, each with its own input', () => {
    const alternates = document['x-service-router-alt-providers'] ?? [];
    for (const alternate of Array.isArray(alternates) ? alternates : [alternates]) {
      const other = String(isJsonObject(alternate) ? alternate['model_id'] : undefined);
      expect(ids).toContain(other);
      expect(alternate).toEqual({ provider: other.split('/')[0], model_id: other });
      expect(objectAt(findDocument(other), locateInput(other))).not.toEqual(objectAt(document, locateInput(id)));
    }
  });
});
