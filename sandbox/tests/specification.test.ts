import { beforeAll, expect, test } from 'vitest';
import {
  buildEffectiveSpecs,
  compileSchema,
  defaultSpecSettings,
  type EffectiveSpecs,
  listOperations,
  type Operation,
} from '../../specs/src/index.ts';
import { operations } from '../src/app.ts';
import { sandboxCredentials } from '../src/http/authentication.ts';
import { createRouter } from '../src/http/router.ts';
import { sandboxJobs } from '../src/state/jobs.ts';
import { createTestSandbox, type Reply, type TestCall, type TestSandbox } from './test-sandbox.ts';

const { router, workflow } = sandboxCredentials;
const still = '/v2/models/image-provider/still-2.1';
const json = { prompt: 'A lighthouse in fog' };
const asWorkflow = (credential: string): TestCall => ({
  as: undefined,
  headers: { Authorization: `Bearer ${credential}` },
});
const job = (id: string): string => `/api/v2/jobs/${id}/workflow`;

const calls: [method: string, path: string, status: number, call?: TestCall][] = [
  ['GET', '/v2/models?limit=3', 200],
  ['GET', '/v2/models?cursor=x', 400],
  ['GET', '/v2/models', 401, { as: undefined }],
  ['GET', '/v2/models', 403, { as: router.noAccess }],
  ['GET', still, 200],
  ['GET', `https://sandbox.test${still}`, 200],
  ['GET', '/v2/models/no/model', 404],
  ['GET', `${still}/openapi.json`, 200],
  ['GET', `${still}/openapi.json`, 304, { headers: { 'If-None-Match': '*' } }],
  ['POST', still, 200, { json }],
  ['POST', `${still}?model_provider=image-provider-two`, 200, { json: { ...json, output_format: 'jpeg' } }],
  ['POST', '/v2/models/audio-provider/speech_v2', 200, { json: { text: 'x' } }],
  ['POST', still, 400, { body: '{' }],
  ['POST', still, 400, { json, as: router.noCredits }],
  ['POST', still, 422, { json: { prompt: 5, extra: [1] } }],
  ['POST', still, 429, { json, as: router.rateLimited }],
  ['POST', still, 429, { json, as: router.spendCapped }],
  ['POST', `${still}/requests`, 201, { json }],
  ['POST', `${still}/requests`, 402, { json, as: router.noCredits }],
  ['POST', `${still}/requests`, 422, { json: {} }],
  ['POST', '/v2/models/audio-provider/speech_v2/requests', 403, { json: { text: 'x' } }],
  ['GET', `${still}/requests/x/status`, 404],
  ['GET', `${still}/requests/x`, 404],
  ['PUT', `${still}/requests/x/cancel`, 400],
  ['GET', job(sandboxJobs.save), 200, asWorkflow(workflow.main)],
  ['GET', job(sandboxJobs.api), 200, asWorkflow(workflow.main)],
  ['GET', job(sandboxJobs.foreign), 404, asWorkflow(workflow.main)],
  ['GET', job(sandboxJobs.save), 401, { as: undefined }],
  ['GET', job(sandboxJobs.save), 403, asWorkflow(workflow.forbidden)],
  ['GET', job(sandboxJobs.save), 429, asWorkflow(workflow.rateLimited)],
];

let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});

test.each(calls)('%s %s answers %i as specified', async (method, path, status, call) => {
  expect(await findProblems(createTestSandbox(), { method, path, call: call ?? {} })).toEqual({
    status,
    complaints: [],
  });
});

test('follows the specification over the life of a request, to the end and when it is cancelled', async () => {
  for (const isCancelled of [false, true]) {
    const sandbox = createTestSandbox();
    const { json: handle } = await sandbox.call('POST', `${still}/requests`, { json });
    const [status, response, cancel] = ['status_url', 'response_url', 'cancel_url'].map((name) => String(handle[name]));
    const get = (path = '') => findProblems(sandbox, { method: 'GET', path, call: {} });
    const put = () => findProblems(sandbox, { method: 'PUT', path: cancel ?? '', call: {} });
    const first = [await get(status), await get(response), ...(isCancelled ? [await put()] : [])];
    sandbox.clock.advance(1000);
    const last = [await get(status), await get(response), await put()];
    expect([...first, ...last].flatMap(({ complaints }) => complaints)).toEqual([]);
    expect([...first, ...last].map((verdict) => verdict.status)).toEqual(
      isCancelled ? [200, 202, 202, 200, 410, 409] : [200, 202, 200, 200, 409],
    );
  }
});

type Asked = { method: string; path: string; call: TestCall };

async function findProblems(
  sandbox: TestSandbox,
  { method, path, call }: Asked,
): Promise<{ status: number; complaints: string[] }> {
  const reply = await sandbox.call(method, path, call);
  const pathname = new URL(path, 'http://sandbox.test').pathname;
  const match = createRouter(operations).match(method, pathname);
  const route = match.kind === 'found' ? match.entry.route : '';
  const operation = listOperations(specs).find((one) => `${one.method} ${one.path}` === route);
  const complaints = operation === undefined ? [`${pathname} is no operation`] : complaintsAbout(reply, operation);
  return { status: reply.status, complaints };
}

function complaintsAbout(reply: Reply, operation: Operation): string[] {
  const response = operation.responses[String(reply.status)] ?? operation.responses['default'];
  if (response === undefined) return [`${reply.status} is not described`];
  const headers = Object.entries(response.headers).flatMap(([name, { required, schema }]) => {
    const value = reply.headers.get(name);
    if (value === null) return required ? [`${name} is missing`] : [];
    const typed = /^(?:\d+|true|false)$/.test(value) ? JSON.parse(value) : value;
    const check = compileSchema(schema ?? true, { root: makeDocument(operation) });
    return check(typed).length === 0 || check(value).length === 0 ? [] : [`${name}: ${value}`];
  });
  const mediaType = reply.headers.get('content-type');
  if (mediaType === null) return headers;
  const schema = response.content[mediaType] ?? response.content['*/*'];
  if (mediaType !== 'application/json')
    return schema === undefined ? [...headers, `${mediaType} is not described`] : headers;
  const violations = compileSchema(schema ?? false, { root: makeDocument(operation), formats: 'assert' })(reply.json);
  return [...headers, ...violations.map(({ pointer, message }) => `${pointer} ${message}`)];
}

function makeDocument(operation: Operation) {
  return operation.api === 'model-router' ? specs.modelRouter : specs.workflowExecution;
}
