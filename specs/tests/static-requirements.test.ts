import { expect, test } from 'vitest';
import { listOperations, type Operation } from '../src/documents/operations.ts';
import { buildEffectiveSpecs } from '../src/effective-specs.ts';
import { isJsonObject, type JsonValue, resolvePointer } from '../src/json.ts';
import { compileSchema } from '../src/schema/schema-check.ts';
import { defaultBrand, headerName } from '../src/settings.ts';
import { knownWords } from './fixtures/known-words.ts';

// Requirements that are only visible in the documents. The tests check which values the documents accept, not their text.

const specs = buildEffectiveSpecs();
const roots = { router: specs.modelRouter, workflow: specs.workflowExecution };
const { router, workflow } = roots;
const operations = listOperations(specs);
const ofRouter = operations.filter(({ api }) => api === 'model-router');
const find = (id: string): Operation | undefined => operations.find(({ operationId }) => operationId === id);
const text = (length: number): string => 'c'.repeat(length);

/** Returns the values that a schema accepts. */
function accepted(root: keyof typeof roots, schema: JsonValue | undefined, values: readonly JsonValue[]): JsonValue[] {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) throw new Error('the document has no such schema');
  const check = compileSchema(schema, { root: roots[root] });
  return values.filter((value) => check(value).length === 0);
}

test.each([
  ['MR-CAT-01', 'listModels', 'GET /v2/models'],
  ['MR-MOD-01', 'readModel', 'GET /v2/models/{provider}/{model}'],
  ['MR-RUN-01', 'runModel', 'POST /v2/models/{provider}/{model}'],
  ['MR-SCH-01', 'readSchemaDocument', 'GET /v2/models/{provider}/{model}/openapi.json'],
  ['MR-SUB-01', 'submitRequest', 'POST /v2/models/{provider}/{model}/requests'],
  ['MR-COL-01', 'collectRequest', 'GET /v2/models/{provider}/{model}/requests/{request_id}'],
  ['MR-STA-01', 'readStatus', 'GET /v2/models/{provider}/{model}/requests/{request_id}/status'],
  ['MR-CAN-01', 'cancelRequest', 'PUT /v2/models/{provider}/{model}/requests/{request_id}/cancel'],
  ['WX-JWF-01 WX-GEN-01 WX-VER-01', 'readJobWorkflow', 'GET /api/v2/jobs/{id}/workflow'],
])('%s: the operation %s is %s', (_ids, id, line) => {
  expect(`${find(id)?.method} ${find(id)?.path}`).toBe(line);
});

test('the documents have nine operations, below configurable addresses (MR-GEN-02, MR-GEN-04, MR-VER-01, WX-GEN-01)', () => {
  expect(operations).toHaveLength(9);
  expect(resolvePointer(router, '/servers/0/url')).toBe('{base_url}');
  expect(serverUrls().filter((url) => !url.includes('{'))).toEqual([]);
});

test('operations have exactly these parameters outside the path (MR-SUB-05, MR-IDM-55, MR-VER-01, WX-JWF-24, WX-VER-01)', () => {
  const named = operations.map(({ operationId, parameters }) => {
    const outside = parameters.filter((one) => one.in !== 'path');
    return [operationId, outside.map(({ name }) => name)];
  });
  expect(Object.fromEntries(named.filter(([, names]) => names?.length !== 0))).toEqual({
    listModels: ['cursor', 'limit'],
    runModel: ['Idempotency-Key', 'model_provider', 'strict_mode', 'fallback_provider'],
    readSchemaDocument: ['If-None-Match'],
    submitRequest: ['Idempotency-Key'],
  });
  expect(find('readJobWorkflow')?.requestBody).toBeUndefined();
});

const ofModel = ofRouter.map(({ operationId }) => operationId).filter((id) => id !== 'listModels');
const ofRequest = ['collectRequest', 'readStatus', 'cancelRequest'];
const keyed = ['runModel', 'submitRequest'];
const uuid = '7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa';

type ParameterRow = readonly [
  ids: string,
  name: string,
  place: string,
  of: readonly string[],
  JsonValue[],
  JsonValue[],
];
test.each<ParameterRow>([
  ['MR-CAT-03 MR-CAT-04', 'cursor', 'query', ['listModels'], ['c_1', 'c', text(512)], ['', text(513), 1, null]],
  ['MR-CAT-11', 'limit', 'query', ['listModels'], [20, 0, -5, 5000], [1.5, '20']],
  ['MR-MOD-02', 'provider', 'path', ofModel, ['a', 'a-1', text(64)], [text(65), '', 'A', 'a/b', 1]],
  ['MR-MOD-03', 'model', 'path', ofModel, ['a', 'a-1', text(128)], [text(129), '', 'A', 'a/b', 1]],
  ['MR-RUN-03 MR-RUN-04 MR-SUB-03 MR-SUB-04', 'Idempotency-Key', 'header', keyed, ['k', text(255)], ['', text(256), 1]],
  ['MR-RUN-05 MR-RUN-14', 'model_provider', 'query', ['runModel'], ['any', '', text(9_000)], [1]],
  ['MR-RUN-09 MR-RUN-14', 'fallback_provider', 'query', ['runModel'], ['any', '', text(9_000)], [true]],
  ['MR-RUN-07', 'strict_mode', 'query', ['runModel'], [true, false], ['yes']],
  ['MR-SCH-02', 'If-None-Match', 'header', ['readSchemaDocument'], ['"a"', 'W/"a"', '*'], [1]],
  ['MR-COL-02', 'request_id', 'path', ofRequest, [uuid], [text(37), '']],
  ['WX-JWF-02', 'id', 'path', ['readJobWorkflow'], ['8d4e7a10', 'Job 1/ü'], [7]],
])('%s: the parameter %s in the %s of %j only accepts documented values', (_ids, name, place, of, valid, invalid) => {
  for (const id of of) {
    const found = find(id)?.parameters.find((one) => one.name === name);
    expect([id, found?.in, found?.required === true]).toEqual([id, place, place === 'path']);
    const root = id === 'readJobWorkflow' ? 'workflow' : 'router';
    expect(accepted(root, found?.schema, [...valid, ...invalid])).toEqual(valid);
  }
});

test('strict_mode is false by default, and a request id is described as a lowercase UUID (MR-RUN-07, MR-COL-02)', () => {
  expect(resolvePointer(router, '/components/parameters/StrictMode/schema/default')).toBe(false);
  expect(resolvePointer(router, '/components/parameters/RequestId/description')).toMatch(/lowercase UUID/);
});

const errorTypes = [
  'invalid_input', 'content_policy_violation', 'provider_error', 'provider_timeout', 'insufficient_credits', 'model_not_found', 'unauthorized', 'forbidden', 'concurrency_limit_exceeded',
  'client_disconnected', 'internal_error', 'deadline_exceeded', 'not_enabled', 'service_unavailable', 'rate_limited', 'cancelled', 'queue_timeout', 'request_not_found',
]; // biome-ignore format: a list of words
const errorCodes = [
  'invalid_workflow', 'workflow_format_ui', 'missing_asset', 'hash_mismatch', 'blob_not_found', 'idempotency_key_reuse', 'queue_full', 'insufficient_credits', 'not_found', 'unauthorized',
  'forbidden', 'deployment_not_ready', 'deployment_stopped', 'rate_limited', 'upstream_error',
]; // biome-ignore format: a list of words
const failure = { detail: 'No.', error_type: 'internal_error' };
const newFailure = { detail: 'No.', error_type: 'queue_backlog_full' };
const fieldFailure = { detail: [{ loc: ['body', 'images', 0], msg: 'No.', type: 'missing' }] };
const envelope = (code: string, more = {}) => ({ error: { code, message: 'No.', ...more } });
const status = {
  request_id: uuid,
  status: 'COMPLETED',
  status_url: 'https://router.invalid/s',
  response_url: 'https://router.invalid/r',
  cancel_url: 'https://router.invalid/c',
};
const details = [{ 3: [{ field: 'steps', reason: 'too few' }] }, { any: 1 }, {}, null];

test.each<readonly [ids: string, root: keyof typeof roots, schema: string, valid: JsonValue[], invalid: JsonValue[]]>([
  ['MR-GEN-03', 'router', 'ModelId', ['a/b', 'a-1/b.2_c'], ['a', 'a/', '/b', 'a/b/c']],
  ['MR-RUN-15 MR-RUN-16 MR-SCH-38', 'router', 'ModelInput', [{}, { any: [{ thing: 1 }] }], [[], 'x', 1, null]],
  ['MR-RUN-29', 'router', 'ModelOutput', [{ images: [] }, ['x'], 'x', 1, null], []],
  [
    'MR-QUE-17 MR-ERR-28',
    'router',
    'StatusResponse',
    [status, { ...status, error_type: 'cancelled' }, { ...status, error_type: 'queue_backlog_full' }],
    [
      { ...status, status: 'IN_QUEUE', error_type: 'cancelled' },
      { ...status, status: 'FAILED' },
    ],
  ],
  ['MR-QUE-17 MR-VER-02', 'router', 'QueueStatus', ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'], ['PAUSED']],
  [
    'MR-VER-02',
    'router',
    'CancelResponse/properties/status',
    ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'],
    ['DONE'],
  ],
  ['MR-ERR-27 MR-CTG-14 MR-VER-02', 'router', 'ErrorType', [...errorTypes, 'new_one'], [1]],
  ['MR-ERR-32', 'router', 'Error', [failure], [{ detail: 'No.' }, { ...fieldFailure, error_type: 'x' }]],
  ['WX-JWF-06', 'workflow', 'Workflow', [{}, { 3: { inputs: [1] }, 'any name': null }], [[], null]],
  [
    'WX-ERR-06',
    'workflow',
    'ErrorEnvelope',
    details.map((one) => envelope('invalid_workflow', { details: one })),
    [{}],
  ],
])('%s: the %s document accepts exactly the documented values of %s', (_ids, root, schema, valid, invalid) => {
  const reference = { $ref: `#/components/schemas/${schema}` };
  expect(accepted(root, reference, [...valid, ...invalid])).toEqual(valid);
});

test('the documents list eighteen error types and fifteen codes, one of which callers never receive (MR-ERR-27, MR-CTG-14, WX-COD-27)', () => {
  expect(knownWords(router, 'ErrorType').toSorted()).toEqual(errorTypes.toSorted());
  expect(knownWords(workflow, 'ErrorCode').toSorted()).toEqual(errorCodes.toSorted());
  const described = '/components/schemas/ErrorType/anyOf/0/x-enum-descriptions/client_disconnected';
  expect(resolvePointer(router, described)).toBeTypeOf('string');
});

test('run and submit require the same JSON object (MR-RUN-15, MR-SUB-06)', () => {
  const body = find('runModel')?.requestBody;
  expect([body?.required, Object.keys(body?.content ?? {})]).toEqual([true, ['application/json']]);
  expect(find('submitRequest')?.requestBody).toEqual(body);
});

test('an output is JSON, bytes, or of any other media type, without a wrapper (MR-RUN-28, MR-RUN-29, MR-AST-31)', () => {
  for (const id of ['runModel', 'collectRequest'])
    expect(Object.keys(find(id)?.responses['200']?.content ?? {}).toSorted()).toEqual([
      '*/*',
      'application/json',
      'application/octet-stream',
    ]);
  const names = Object.keys(Object(resolvePointer(router, '/components/schemas')));
  expect(names.filter((name) => /image|video|audio|text|media/i.test(name))).toEqual([]);
  // No member states whether an asset was copied, and the router defines no member of inputs or outputs.
  expect(memberNames(router).filter((name) => /cop(?:y|ied)|hosted|asset/i.test(name))).toEqual([]);
  for (const name of ['ModelInput', 'ModelOutput'])
    expect(memberNames(resolvePointer(router, `/components/schemas/${name}`))).toEqual([]);
});

test('the example of a schema document that is not authored accepts any input (MR-SCH-38)', () => {
  const example = '/components/examples/UnauthoredSchemaDocument/value';
  expect(resolvePointer(router, `${example}/x-service-input-schema-authored`)).toBe(false);
  const post = '/paths/~1v2~1models~1image-provider~1experimental/post';
  const input = resolvePointer(router, `${example}${post}/requestBody/content/application~1json/schema`);
  expect(accepted('router', input, [{}, { any: { thing: 1 } }])).toHaveLength(2);
});

test('each failure has the body and the headers of its API (MR-GEN-05, MR-ERR-28, MR-ERR-32, MR-HDR-02, MR-HDR-31, WX-COD-24)', () => {
  const bodies = [failure, newFailure, fieldFailure, envelope('upstream_error')];
  for (const { api, operationId, responses } of operations)
    for (const [code, { content, headers }] of Object.entries(responses)) {
      const at = `${operationId} ${code}`;
      const root = api === 'model-router' ? 'router' : 'workflow';
      const requestId = headers[headerName(defaultBrand, 'Request-Id')];
      if (root === 'router') expect([at, accepted(root, requestId?.schema, ['r', 1])]).toEqual([at, ['r']]);
      const isOutcome = operationId === 'cancelRequest' && code === '409';
      if ((code !== 'default' && Number(code) < 400) || isOutcome) continue;
      const valid = root === 'workflow' ? bodies.slice(3) : code === '422' ? bodies.slice(2, 3) : bodies.slice(0, 2);
      expect([at, accepted(root, content['application/json'], bodies)]).toEqual([at, valid]);
      if (root === 'workflow' || code === '422') continue;
      const type = headers[headerName(defaultBrand, 'Error-Type')];
      expect([at, accepted(root, type?.schema, [...errorTypes, 'new_one', 1])]).toEqual([
        at,
        [...errorTypes, 'new_one'],
      ]);
    }
  expect(find('readJobWorkflow')?.responses).toHaveProperty('500');
});

test('only run and submit mark a replay (MR-IDM-55)', () => {
  const marked = operations.filter(({ responses }) =>
    Object.values(responses).some(({ headers }) => 'Idempotent-Replayed' in headers),
  );
  expect(marked.map(({ operationId }) => operationId)).toEqual(keyed);
});

test('limits without a number appear as 409, 413, 429 or queue_timeout (MR-LIM-14)', () => {
  expect(Object.keys(find('runModel')?.responses ?? {})).toEqual(expect.arrayContaining(['409', '413', '429']));
  expect(find('collectRequest')?.responses).toHaveProperty('410');
  const examples = '/components/responses/RequestFailed/content/application~1json/examples';
  expect(resolvePointer(router, `${examples}/queue_timeout/value/error_type`)).toBe('queue_timeout');
});

test('the router declares no event, webhook or callback (MR-EVT-01)', () => {
  expect(JSON.stringify(router)).not.toMatch(/"(?:webhooks|callbacks)":|text\/event-stream/);
});

test('a workflow has one of two formats, and is not part of a job record (WX-JWF-01, WX-JWF-33)', () => {
  const content = find('readJobWorkflow')?.responses['200']?.content['application/json'];
  const valid = ['save', 'api'].map((format) => ({ format, workflow: {} }));
  expect(accepted('workflow', content, [...valid, { format: 'ui', workflow: {} }, { format: 'api' }])).toEqual(valid);
  const holders = Object.entries(Object(resolvePointer(workflow, '/components/schemas')))
    .filter(([, schema]) => isJsonObject(schema) && resolvePointer(schema, '/properties/workflow') !== undefined)
    .map(([name]) => name);
  expect(holders).toEqual(['SavedJobWorkflow', 'ApiJobWorkflow']);
});

test('the document of the workflow API lists servers for own deployments, the cloud and serverless deployments (WX-GEN-13, WX-GEN-14, WX-GEN-15)', () => {
  expect(workflow['tags']).toMatchObject([{ name: 'assets' }, { name: 'jobs' }]);
  expect(serverUrls()).toEqual([
    '{base_url}',
    'https://{cloud_host}',
    'https://{deployment}.{serverless_host}',
    'https://{deployment}.staging.{serverless_host}',
  ]);
  for (const at of [2, 3])
    expect(resolvePointer(workflow, `/servers/${at}/variables/deployment/default`)).toMatch(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    );
});

test('the workflow API accepts a bearer credential or none (WX-AUT-02, WX-AUT-06)', () => {
  expect(find('readJobWorkflow')?.security).toEqual([{ bearer: [] }, {}]);
  const schemes = Object.values(Object(resolvePointer(workflow, '/components/securitySchemes')));
  expect(schemes).toMatchObject([{ type: 'http', scheme: 'bearer' }]);
  expect(JSON.stringify(workflow)).not.toContain('X-API-Key');
});

// Callers of version 2 may rely on these statuses and members: append to the lists, but never remove an entry.
test('version 2 of the workflow API keeps everything it has published (WX-VER-02)', () => {
  expect(resolvePointer(workflow, '/info/version')).toMatch(/^2\./);
  const responses = Object.keys(find('readJobWorkflow')?.responses ?? {});
  expect(responses).toEqual(expect.arrayContaining(['200', '401', '403', '404', '429', '500']));
  const at = (pointer: string): unknown => resolvePointer(workflow, `/components/schemas/${pointer}`);
  for (const name of ['SavedJobWorkflow', 'ApiJobWorkflow'])
    expect(at(`${name}/required`)).toEqual(['workflow', 'format']);
  expect(at('ErrorEnvelope/required')).toEqual(['error']);
  expect(at('ErrorEnvelope/properties/error/required')).toEqual(['code', 'message']);
});

function serverUrls(): string[] {
  const servers = workflow['servers'];
  return Array.isArray(servers) ? servers.map((server) => String(Object(server).url)) : [];
}

/** Returns the names of all described members in a document. */
function memberNames(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(memberNames);
  if (!isJsonObject(value)) return [];
  const own = isJsonObject(value['properties']) ? Object.keys(value['properties']) : [];
  return [...new Set([...own, ...Object.values(value).flatMap(memberNames)])];
}
