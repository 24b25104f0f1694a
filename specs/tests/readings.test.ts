import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printPaths } from '../src/documents/print-paths.ts';
import { parseYaml } from '../src/documents/read-document.ts';
import { buildEffectiveSpecs } from '../src/effective-specs.ts';
import { packageRoot, readText } from '../src/files.ts';
import { isJsonObject, type JsonValue, resolvePointer } from '../src/json.ts';
import { readAssumptions } from '../src/requirements/requirements.ts';
import { defaultSpecSettings } from '../src/settings.ts';
import { accepted, operation, type Specification, specificationOf } from './static-requirements/specification.ts';

const overlay = join(packageRoot(), 'specs', 'overlays', 'other-readings.overlay.yaml');
const ours = await buildEffectiveSpecs(defaultSpecSettings);
const theirs = await buildEffectiveSpecs({ ...defaultSpecSettings, overlays: [overlay] });
const types = {
  ours: [await printPaths(ours.modelRouter), await printPaths(ours.workflowExecution)].join(),
  theirs: [await printPaths(theirs.modelRouter), await printPaths(theirs.workflowExecution)].join(),
};

const headers =
  (operationId: string, status: string, name: string) =>
  (spec: Specification): unknown =>
    operation(spec, operationId)?.responses[status]?.headers[name]?.required;
const of =
  (schema: string, ...values: JsonValue[]) =>
  ({ router }: Specification): unknown =>
    accepted(router, { $ref: `#/components/schemas/${schema}` }, values);
const parameter =
  (operationId: string, name: string, ...values: JsonValue[]) =>
  (spec: Specification): unknown => {
    const schema = operation(spec, operationId)?.parameters.find((one) => one.name === name)?.schema;
    return accepted(spec.router, schema ?? false, values);
  };
const at =
  (which: 'router' | 'workflow', pointer: string) =>
  (spec: Specification): unknown =>
    resolvePointer(spec[which], pointer);
const description = (operationId: string, status: string) => (spec: Specification) =>
  /not known|authored/.test(operation(spec, operationId)?.responses[status]?.description ?? '');
const page = { data: [], has_more: false, limit: 20 };
const error = { detail: 'No.', error_type: 'invalid_input', more: 1 };
const collect = '/paths/~1v2~1models~1{provider}~1{model}~1requests~1{request_id}';

/** What each assumption decides, and how it is decided by default and under the overlay of the other readings. */
const decided: readonly [id: string, read: (spec: Specification) => unknown, ours: unknown, theirs: unknown][] = [
  ['NS-73', of('ProviderSlug', 'a-b', 'A B'), ['a-b'], ['a-b', 'A B']],
  ['NS-74', parameter('listModels', 'limit', 0, 20, 500), [0, 20, 500], [20]],
  ['NS-75', description('runModel', '422'), true, false],
  ['NS-76', headers('runModel', '504', 'Retry-After'), false, true],
  ['NS-77', parameter('readStatus', 'request_id', 'x'), ['x'], []],
  ['NS-78', at('router', '/components/headers/IdempotentReplayedOfRefusal/schema/const'), undefined, false],
  ['NS-79', (spec) => '200' in (operation(spec, 'submitRequest')?.responses ?? {}), false, true],
  ['NS-80', ({ router }) => JSON.stringify(router).includes('#/components/links/Collect'), true, false],
  ['NS-81', headers('runModel', '200', 'X-Committed-Spend-Limit'), true, false],
  ['NS-82', headers('readStatus', '200', 'Retry-After'), false, true],
  ['NS-83', (spec) => '422' in (operation(spec, 'collectRequest')?.responses ?? {}), true, false],
  [
    'NS-84',
    (spec) => resolvePointer(spec.router, '/components/headers/CacheControl/schema/x-tolerated') !== undefined,
    true,
    false,
  ],
  ['NS-85', of('Error', error), [error], []],
  ['NS-86', of('ModelList', page), [page], []],
  ['NS-87', of('UpstreamStatus', 200, 600, 1000), [200, 600], [200]],
  ['NS-88', (spec) => Object.keys(operation(spec, 'listModels')?.responses['200']?.content ?? {}).length, 1, 2],
  ['NS-89', at('router', '/info/version'), '2.0.0', '2026.11.0'],
  [
    'NS-90',
    at('workflow', '/components/schemas/ErrorCode/anyOf/0/x-enum-descriptions/missing_asset'),
    'The workflow names an asset that is not there.',
    'An input of the workflow has expired.',
  ],
  ['NS-91', at('workflow', '/components/headers/RetryAfter/schema/minimum'), 0, 1],
  ['NS-92', ({ workflow }) => /Do not keep/.test(JSON.stringify(workflow)), true, false],
];

describe('an owner can read otherwise what the APIs say in more than one way', () => {
  test.each(decided)('%s', (_id, read, want, other) => {
    expect([read(specificationOf(ours)), read(specificationOf(theirs))]).toEqual([want, other]);
  });

  test('in every reading, and the example overlay names each', () => {
    const readings = readAssumptions()
      .map(({ id }) => id)
      .filter((id) => Number(id.slice(3)) > 72);
    expect(decided.map(([id]) => id)).toEqual(readings);
    const { actions } = Object(parseYaml(readText(overlay), overlay));
    const named = actions.flatMap((action: JsonValue) =>
      isJsonObject(action) ? String(action['description']).slice(0, 5) : [],
    );
    expect([...new Set(named)]).toEqual(readings);
  });

  test('the types follow', () => {
    expect(types.ours).toMatch(/"X-Committed-Spend-Limit": components/);
    expect(types.theirs).toMatch(/"X-Committed-Spend-Limit"\?: components/);
    expect(types.theirs).toMatch(/Nothing is billed\. \*\//);
  });
});

test('a link that is removed leaves no trace in its operation', () => {
  const links = resolvePointer(specificationOf(theirs).router, `${collect}/get/responses/202/links`);
  expect(links).toEqual({});
});
