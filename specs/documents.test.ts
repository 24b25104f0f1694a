import { describe, expect, test } from 'vitest';
import {
  buildEffectiveSpecs,
  defaultSpecSettings,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type OpenApiDocument,
  readAssumptions,
  readRequirements,
} from './src/index.ts';
import { applyAction } from './src/overlay.ts';

const { modelRouter, workflowExecution } = await buildEffectiveSpecs(defaultSpecSettings);
const router = asJson(modelRouter);
const workflow = asJson(workflowExecution);

function asJson(document: OpenApiDocument): JsonObject {
  const value: unknown = structuredClone(document);
  if (!isJsonObject(value)) throw new Error('a document is an object');
  return value;
}

function valuesOf(key: string, node: JsonValue): JsonValue[] {
  if (Array.isArray(node)) return node.flatMap((inner) => valuesOf(key, inner));
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([name, inner]) => [
    ...(name === key ? [inner].flat() : []),
    ...valuesOf(key, inner),
  ]);
}

function openSetOf(document: JsonObject, name: string): JsonValue[] {
  const { components } = document;
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  return isJsonObject(schemas) ? valuesOf('enum', schemas[name] ?? null) : [];
}

const marked = (key: string): Set<JsonValue> => new Set([...valuesOf(key, router), ...valuesOf(key, workflow)]);
const exampleValues = (document: JsonObject): JsonValue[] =>
  valuesOf('examples', document)
    .filter(isJsonObject)
    .flatMap((examples) => Object.values(examples));

describe('the two documents', () => {
  test('embody every requirement that the register asks of a specification', () => {
    const cited = marked('x-requirements');
    const asked = readRequirements().filter(({ parties }) => parties.includes('spec'));
    expect(asked.length).toBeGreaterThan(300);
    expect(asked.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
  });

  test('mark every assumption where it shows', () => {
    const shown = marked('x-assumption');
    expect(
      readAssumptions()
        .map(({ id }) => id)
        .filter((id) => !shown.has(id)),
    ).toEqual([]);
  });

  test('show an example of each error category and each error code', () => {
    const categories = openSetOf(router, 'ErrorType');
    const codes = openSetOf(workflow, 'ErrorCode');
    expect([categories.length, codes.length]).toEqual([18, 15]);
    const categoriesShown = new Set(valuesOf('error_type', exampleValues(router)));
    const codesShown = new Set(valuesOf('code', exampleValues(workflow)));
    expect(categories.filter((category) => !categoriesShown.has(category))).toEqual([]);
    expect(codes.filter((code) => !codesShown.has(code))).toEqual([]);
  });
});

describe('the list of assumptions', () => {
  const targets = readAssumptions().flatMap(({ id, override }) =>
    [...override.matchAll(/`(\$[^`]+)`/g)].map(([, target = '']): [string, string] => [id, target]),
  );

  test.each(targets)('%s: the overlay target %s selects something', (_, target) => {
    const change = { kind: 'remove' } as const;
    const found = [router, workflow].map((document) =>
      target === '$' ? 1 : applyAction(structuredClone(document), { target, change }, target),
    );
    expect(Math.max(...found)).toBeGreaterThan(0);
  });
});
