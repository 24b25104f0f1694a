import { describe, expect, test } from 'vitest';
import { readOwnCatalog } from '../src/documents/own-catalog.ts';
import { buildEffectiveSpecs } from '../src/effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../src/json.ts';
import { readModelOperation } from '../src/schema/model-operation.ts';
import { compileSchema } from '../src/schema/schema-check.ts';
import { defaultSpecSettings } from '../src/settings.ts';
import { accepted, operation, specificationOf } from './static-requirements/specification.ts';

const spec = specificationOf(await buildEffectiveSpecs(defaultSpecSettings));
const id = '7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa';
const urls = {
  status_url: 'https://r.invalid/s',
  response_url: 'https://r.invalid/r',
  cancel_url: 'https://r.invalid/c',
};
const handle = (status: string): JsonObject => ({ request_id: id, status, ...urls });
const cancelled = (status: string): JsonObject => ({ request_id: id, status });
const schemaDocument = (paths: JsonObject): JsonObject => ({ openapi: '3.1.0', info: {}, paths });

type Answer = {
  readonly claim: string;
  /** An operation and a status; with a header its value, else the body. */
  readonly of: readonly [operationId: string, status: string, header?: string];
  readonly accepts: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
};

const answers: readonly Answer[] = [
  {
    claim: 'the 202 of a cancellation has its own word',
    of: ['cancelRequest', '202'],
    accepts: [cancelled('CANCELLATION_REQUESTED')],
    refuses: [cancelled('ALREADY_COMPLETED'), { request_id: id }],
  },
  {
    claim: 'the 409 of a cancellation has its own word',
    of: ['cancelRequest', '409'],
    accepts: [cancelled('ALREADY_COMPLETED')],
    refuses: [cancelled('CANCELLATION_REQUESTED'), { status: 'ALREADY_COMPLETED' }],
  },
  {
    claim: 'what is collected too early is not complete',
    of: ['collectRequest', '202'],
    accepts: [handle('IN_QUEUE'), { ...handle('IN_PROGRESS'), queue_position: 0 }],
    refuses: [handle('COMPLETED'), { ...handle('COMPLETED'), error_type: 'cancelled' }, { request_id: id }],
  },
  {
    claim: 'a status may be any of the three',
    of: ['readStatus', '200'],
    accepts: [handle('IN_QUEUE'), handle('COMPLETED')],
    refuses: [handle('PAUSED')],
  },
  {
    claim: 'a schema document may have extensions beside its paths',
    of: ['readSchemaDocument', '200'],
    accepts: [
      schemaDocument({
        'x-order': 1,
        'x-note': 'text',
        'x-none': null,
        '/v2/models/a/b': { 'x-y': 1, post: { 'x-z': [] } },
      }),
      schemaDocument({}),
    ],
    refuses: [
      schemaDocument({ '/v2/models/a/b': 1 }),
      schemaDocument({ '/v2/models/a/b': { post: { 'x-service-input-schema-authored': 'yes' } } }),
    ],
  },
  ...(['200', '304'] as const).map(
    (status): Answer => ({
      claim: 'Cache-Control is one value',
      of: ['readSchemaDocument', status, 'Cache-Control'],
      accepts: ['private, must-revalidate'],
      refuses: [
        ...['public, private, must-revalidate, max-age=60', 'public, max-age=60', 'private', 'must-revalidate'],
        ...['private, max-age=60, must-revalidate', 'private,must-revalidate', ''],
      ],
    }),
  ),
];

describe('an answer', () => {
  test.each(answers)('$claim ($of)', ({ of: [operationId, status, header], accepts, refuses }) => {
    const response = operation(spec, operationId)?.responses[status];
    const schema = header === undefined ? response?.content['application/json'] : response?.headers[header]?.schema;
    expect(accepted(spec.router, schema ?? false, [...accepts, ...refuses])).toEqual(accepts);
  });

  test.each(spec.operations.filter(({ api }) => api === 'model-router').map((one) => [one.operationId, one] as const))(
    '%s: the default answer may name a time to wait and the status of the provider',
    (_id, { responses }) => {
      const headers = responses['default']?.headers ?? {};
      expect(headers['Retry-After']?.required).toBe(false);
      expect(headers['X-Service-Upstream-Status']?.required).toBe(false);
    },
  );
});

test.each(['runModel', 'submitRequest'])('the key of %s is visible ASCII', (operationId) => {
  const schema = operation(spec, operationId)?.parameters.find(({ name }) => name === 'Idempotency-Key')?.schema;
  const keys = ['k', '!~', 'a'.repeat(255), '', 'two words', 'schl\u00fcssel', 'tab\t', 'a'.repeat(256)];
  expect(accepted(spec.router, schema ?? false, keys)).toEqual(keys.slice(0, 3));
});

describe('the examples', () => {
  const catalog = new Map(readOwnCatalog().map((model) => [model.id, model]));
  const example = (name: string): string =>
    String(resolvePointer(spec.router, `/components/parameters/${name}/example`));
  const model = catalog.get(`${example('Provider')}/${example('Model')}`);

  test('name models of the own catalog, with their billing', () => {
    const named = entriesIn(spec.router);
    expect(named.length).toBeGreaterThan(4);
    for (const [name, billing] of named)
      expect([name, billing]).toEqual([name, catalog.get(name)?.charges_on_policy_rejection]);
    const links = [...JSON.stringify(spec.router).matchAll(/router\.example\/v2\/models\/([^/"]+\/[^/"]+)/g)];
    for (const [, name = ''] of links) expect(catalog.has(name), name).toBe(true);
  });

  test('give a body that the model takes, and providers that serve it', () => {
    const document = model?.document ?? {};
    const schema = readModelOperation(document)?.input?.schema;
    const input = resolvePointer(
      spec.router,
      '/components/requestBodies/ModelInput/content/application~1json/examples/text_to_image/value',
    );
    expect(isJsonObject(schema) ? compileSchema(schema, { root: document })(input) : 'no schema').toEqual([]);
    const alternates = JSON.stringify(document['x-service-router-alt-providers']);
    for (const name of ['ModelProvider', 'FallbackProvider']) expect(alternates).toContain(`"${example(name)}"`);
  });
});

/** Every catalog entry in a document: its id and its billing fact. */
function entriesIn(value: JsonValue): [id: string, billing: unknown][] {
  if (Array.isArray(value)) return value.flatMap(entriesIn);
  if (!isJsonObject(value)) return [];
  const { id: name, billing } = value;
  const own: [string, unknown][] =
    typeof name === 'string' && isJsonObject(billing) ? [[name, billing['charges_on_policy_rejection']]] : [];
  return [...own, ...Object.values(value).flatMap(entriesIn)];
}
