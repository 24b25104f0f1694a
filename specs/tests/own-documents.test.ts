import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSpecs, walkDocument } from '../src/checks/check-specs.ts';
import { listOperations } from '../src/documents/operations.ts';
import { readOwnCatalog } from '../src/documents/own-catalog.ts';
import { followReference } from '../src/documents/references.ts';
import { buildEffectiveSpecs } from '../src/effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../src/json.ts';
import { applyAction } from '../src/overlays/overlays.ts';
import { readChoices, readRequirements } from '../src/requirements/requirements.ts';
import { readModelOperation } from '../src/schema/model-operation.ts';
import { compileSchema } from '../src/schema/schema-check.ts';
import { defaultSpecSettings, parseBrand, type SpecSettings } from '../src/settings.ts';
import { knownWords } from './fixtures/known-words.ts';

const overlay = join(mkdtempSync(join(tmpdir(), 'overlay-')), 'owner.yaml');
writeFileSync(
  overlay,
  [
    'overlay: 1.0.0',
    'info: { title: What the owner knows, version: "1" }',
    'actions:',
    "  - target: $.servers[?@.url=='{base_url}']",
    '    update: { description: Where it really is. }',
    '  - target: $.components.parameters.ModelProvider.schema',
    '    update: { enum: [image-provider-two] }',
    "  - target: $.paths['/v2/models'].get.responses['200'].content['application/json'].examples.last_page",
    '    remove: true',
  ].join('\n'),
);

const settings: [sentence: string, settings: Partial<SpecSettings>][] = [
  ['with the default settings', {}],
  ['under another brand', { brand: parseBrand('Acme') }],
  ['with other queue statuses', { queueStatuses: ['Waiting for its turn', 'läuft'] }],
  ['with an overlay', { overlays: [overlay] }],
  ['with all of these', { brand: parseBrand('Acme'), queueStatuses: ['IN_PROGRESS', 'IN_QUEUE'], overlays: [overlay] }],
];

const { modelRouter, workflowExecution } = buildEffectiveSpecs(defaultSpecSettings);
const router = modelRouter;
const workflow = workflowExecution;

describe('the two documents', () => {
  test.each(settings)('finds no problem in the two documents %s', async (_sentence, chosen) => {
    const report = await checkSpecs(buildEffectiveSpecs({ ...defaultSpecSettings, ...chosen }));
    expect(report.problems).toEqual([]);
    expect(report.counts).toMatchObject({
      requirements: readRequirements().length,
      operations: listOperations({ modelRouter, workflowExecution }).length,
    });
  });

  test('the documents contain an example for every response with a body and for every known error type and code', () => {
    expect([...bodiesWithoutExample(router), ...bodiesWithoutExample(workflow)]).toEqual([]);
    const shown = JSON.stringify(exampleValues(router));
    expect(knownWords(router, 'ErrorType').filter((word) => !shown.includes(`"error_type":"${word}"`))).toEqual([]);
    const codes = JSON.stringify(exampleValues(workflow));
    expect(knownWords(workflow, 'ErrorCode').filter((word) => !codes.includes(`"code":"${word}"`))).toEqual([]);
    expect(listOperations({ modelRouter, workflowExecution }).every(({ responses }) => 'default' in responses)).toBe(
      true,
    );
  });

  test('the documents cite every requirement that the register assigns to a specification', () => {
    const cited = marksUnder('x-requirements');
    const assigned = readRequirements().filter(({ parties }) => parties.includes('spec'));
    expect(assigned.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
  });

  test('the documents cite every choice that an owner can override', () => {
    const cited = marksUnder('x-assumption');
    const ids = readChoices().flatMap(({ id, override }) => (override === undefined ? [] : [id]));
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });
});

describe('the examples', () => {
  const catalog = new Map(readOwnCatalog().map((model) => [model.id, model]));
  const example = (name: string): string => String(resolvePointer(router, `/components/parameters/${name}/example`));
  const { document = {} } = catalog.get(`${example('Provider')}/${example('Model')}`) ?? {};

  test('the examples use models of the included catalog, with their billing', () => {
    const listed = entriesIn(exampleValues(router));
    expect(listed).not.toEqual([]);
    for (const [id, billing] of listed)
      expect([id, billing]).toEqual([id, catalog.get(id)?.charges_on_policy_rejection]);
    const links = [...JSON.stringify(router).matchAll(/router\.example\/v2\/models\/([^/"]+\/[^/"]+)/g)];
    expect(links.filter(([, id = '']) => !catalog.has(id))).toEqual([]);
  });

  test('the examples have a valid input and existing providers', () => {
    const schema = readModelOperation(document)?.input?.schema;
    const input = resolvePointer(
      router,
      '/components/requestBodies/ModelInput/content/application~1json/examples/text_to_image/value',
    );
    expect(isJsonObject(schema) ? compileSchema(schema, { root: document })(input) : 'no schema').toEqual([]);
    const alternates = JSON.stringify(document['x-service-router-alt-providers']);
    for (const name of ['ModelProvider', 'FallbackProvider']) expect(alternates).toContain(`"${example(name)}"`);
  });
});

describe('the list of assumptions', () => {
  const targets = readChoices().flatMap(({ id, override = '' }) =>
    [...override.matchAll(/`(\$[^`]+)`/g)].map(([, target = '']): [string, string] => [id, target]),
  );

  test.each(targets)('%s: the overlay target %s matches something', (_, target) => {
    const found = [router, workflow].map((document) =>
      target === '$' ? 1 : applyAction(structuredClone(document), { place: target, target, update: undefined }),
    );
    expect(Math.max(...found)).toBeGreaterThan(0);
  });
});

/** Every catalog entry in examples: its id and its billing fact. */
function entriesIn(value: unknown): [id: string, billing: unknown][] {
  if (Array.isArray(value)) return value.flatMap(entriesIn);
  if (!isJsonObject(value)) return [];
  const { id, billing } = value;
  if (typeof id === 'string' && isJsonObject(billing)) return [[id, billing['charges_on_policy_rejection']]];
  return Object.values(value).flatMap(entriesIn);
}

function marksUnder(key: string): Set<JsonValue> {
  const nodes = [router, workflow].flatMap((document) => [...walkDocument(document)]);
  return new Set(nodes.flatMap(({ node }) => [node[key] ?? []].flat()));
}

function bodiesWithoutExample(document: JsonObject): string[] {
  return [...walkDocument(document)].flatMap(({ node, pointer }) => {
    if (!/\/responses\/[^/]+\/content\/[^/]+$/.test(pointer)) return [];
    const several = isJsonObject(node['examples']) && Object.keys(node['examples']).length > 0;
    return !several && node['example'] === undefined ? [pointer] : [];
  });
}

function exampleValues(document: JsonObject): unknown[] {
  return [...walkDocument(document)].flatMap(({ node }) => {
    if (!isJsonObject(node['examples']) || node['schema'] === undefined) return [];
    const found = Object.values(node['examples']).map((entry) => followReference(document, entry).value);
    return found.flatMap((example) => (isJsonObject(example) ? [example['value']] : []));
  });
}
