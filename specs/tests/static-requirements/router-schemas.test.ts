import { isJsonObject, resolvePointer } from '../../src/json.ts';
import { defaultBrand, headerName } from '../../src/settings.ts';
import { proveRows } from './prove-rows.ts';
import {
  accepted,
  acceptedAt,
  generalFailures,
  knownWords,
  operation,
  propertyNames,
  routerOperations,
  type StaticRow,
  schemaNamed,
} from './specification.ts';

const schemas = '/components/schemas';
const failure = { detail: 'No.', error_type: 'internal_error' };
const unknownFailure = { detail: 'No.', error_type: 'queue_backlog_full' };
const envelope = { error: { code: 'not_found', message: 'No.' } };
const fieldFailure = { detail: [{ loc: ['body', 'images', 0], msg: 'No.', type: 'missing' }] };
const handle = {
  request_id: '7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa',
  status: 'COMPLETED',
  status_url: 'https://router.invalid/s',
  response_url: 'https://router.invalid/r',
  cancel_url: 'https://router.invalid/c',
};
const errorTypes = [
  'invalid_input',
  'content_policy_violation',
  'provider_error',
  'provider_timeout',
  'insufficient_credits',
  'model_not_found',
  'unauthorized',
  'forbidden',
  'concurrency_limit_exceeded',
  'client_disconnected',
  'internal_error',
  'deadline_exceeded',
  'not_enabled',
  'service_unavailable',
  'rate_limited',
  'cancelled',
  'queue_timeout',
  'request_not_found',
];

const rows: readonly StaticRow[] = [
  {
    ids: ['MR-GEN-03'],
    claim: 'a model id is provider, slash, model, and every model route is made of the two',
    read: (spec) => ({
      ids: acceptedAt(spec.router, `${schemas}/ModelId`, ['a/b', 'a-1/b.2_c', 'a', 'a/', '/b', 'a/b/c']),
      elsewhere: routerOperations(spec).filter(
        ({ path }) => !/^\/v2\/models(?:\/\{provider\}\/\{model\}(?:\/.*)?)?$/.test(path),
      ),
    }),
    want: { ids: ['a/b', 'a-1/b.2_c'], elsewhere: [] },
  },
  {
    ids: ['MR-GEN-05'],
    claim: 'each API has an error shape of its own that refuses the other’s',
    read: ({ router, workflow, operations }) => {
      const distinct = (root: typeof router, api: string) => {
        const failures = generalFailures(operations.filter((one) => one.api === api));
        const bodies = failures.map(({ content }) => accepted(root, content['application/json'], [failure, envelope]));
        return [...new Set(bodies.map((body) => JSON.stringify(body)))];
      };
      return { router: distinct(router, 'model-router'), workflow: distinct(workflow, 'workflow-execution') };
    },
    want: { router: [JSON.stringify([failure])], workflow: [JSON.stringify([envelope])] },
  },
  {
    ids: ['MR-RUN-15'],
    claim: 'a run needs a body, and the body is a JSON object',
    read: (spec) => {
      const body = operation(spec, 'runModel')?.requestBody;
      const accepts = accepted(spec.router, body?.content['application/json'], [{}, { prompt: 'x' }, [], 'x', 1, null]);
      return { required: body?.required, mediaTypes: Object.keys(body?.content ?? {}), accepts };
    },
    want: { required: true, mediaTypes: ['application/json'], accepts: [{}, { prompt: 'x' }] },
  },
  {
    ids: ['MR-RUN-16'],
    claim: 'the router names no member of an input',
    read: ({ router }) => ({
      named: propertyNames(schemaNamed(router, 'ModelInput')),
      accepts: acceptedAt(router, `${schemas}/ModelInput`, [{ anything: [{ at: 'all' }] }]),
    }),
    want: { named: [], accepts: [{ anything: [{ at: 'all' }] }] },
  },
  {
    ids: ['MR-SUB-06'],
    claim: 'submit has the same body as a run',
    read: (spec) => ({
      same:
        JSON.stringify(operation(spec, 'submitRequest')?.requestBody) ===
        JSON.stringify(operation(spec, 'runModel')?.requestBody),
      present: operation(spec, 'submitRequest')?.requestBody !== undefined,
    }),
    want: { same: true, present: true },
  },
  {
    ids: ['MR-RUN-28'],
    claim: 'an output is JSON, bytes, or of any other media type',
    read: (spec) =>
      ['runModel', 'collectRequest'].map((id) =>
        Object.keys(operation(spec, id)?.responses['200']?.content ?? {}).sort(),
      ),
    want: Array(2).fill(['*/*', 'application/json', 'application/octet-stream']),
  },
  {
    ids: ['MR-RUN-29'],
    claim: 'no wrapper for images, videos or texts exists',
    read: ({ router }) => ({
      wrappers: Object.keys(Object(resolvePointer(router, schemas))).filter((name) =>
        /image|video|audio|text|media/i.test(name),
      ),
      accepts: acceptedAt(router, `${schemas}/ModelOutput`, [{ images: [] }, ['x'], 'x', 1, null]),
    }),
    want: { wrappers: [], accepts: [{ images: [] }, ['x'], 'x', 1, null] },
  },
  {
    ids: ['MR-AST-31'],
    claim: 'no member states whether an asset was copied',
    read: ({ router }) => ({
      members: propertyNames(router).filter((name) => /cop(?:y|ied)|hosted|asset/i.test(name)),
      named: propertyNames(schemaNamed(router, 'ModelOutput')),
    }),
    want: { members: [], named: [] },
  },
  {
    ids: ['MR-SCH-38'],
    claim: 'an input that is not authored is an open object',
    read: ({ router }) => {
      const at = '/components/examples/UnauthoredSchemaDocument/value';
      const body =
        '/paths/~1v2~1models~1image-provider~1experimental/post/requestBody/content/application~1json/schema';
      const input = resolvePointer(router, at + body);
      return {
        authored: resolvePointer(router, `${at}/x-service-input-schema-authored`),
        example: accepted({}, isJsonObject(input) ? input : false, [{}, { any: { thing: 1 } }]),
        input: acceptedAt(router, `${schemas}/ModelInput`, [{}, { any: { thing: 1 } }]),
      };
    },
    want: { authored: false, example: [{}, { any: { thing: 1 } }], input: [{}, { any: { thing: 1 } }] },
  },
  {
    ids: ['MR-QUE-17'],
    claim: 'failure and cancellation have no status of their own: complete, with an error_type',
    read: ({ router }) => ({
      statuses: schemaNamed(router, 'QueueStatus')['enum'],
      endings: acceptedAt(router, `${schemas}/StatusResponse`, [
        { ...handle, error_type: 'cancelled' },
        { ...handle, status: 'IN_QUEUE', error_type: 'cancelled' },
        { ...handle, status: 'FAILED' },
      ]),
    }),
    want: { statuses: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'], endings: [{ ...handle, error_type: 'cancelled' }] },
  },
  {
    ids: ['MR-ERR-27'],
    claim: 'eighteen error types are known',
    read: ({ router }) => [...knownWords(router, 'ErrorType')].sort(),
    want: [...errorTypes].sort(),
  },
  {
    ids: ['MR-CTG-14'],
    claim: 'client_disconnected is known, though no caller is left to receive it',
    read: ({ router }) => ({
      known: knownWords(router, 'ErrorType').includes('client_disconnected'),
      described:
        resolvePointer(router, `${schemas}/ErrorType/anyOf/0/x-enum-descriptions/client_disconnected`) !== undefined,
    }),
    want: { known: true, described: true },
  },
  {
    ids: ['MR-ERR-28'],
    claim: 'no failure body, and no status, refuses an error type that is not known yet',
    read: ({ router, operations }) => ({
      refusing: generalFailures(operations.filter(({ api }) => api === 'model-router')).filter(
        ({ content }) => accepted(router, content['application/json'], [unknownFailure]).length === 0,
      ),
      status: acceptedAt(router, `${schemas}/StatusResponse`, [{ ...handle, error_type: 'queue_backlog_full' }]).length,
    }),
    want: { refusing: [], status: 1 },
  },
  {
    ids: ['MR-ERR-32'],
    claim: 'detail is a list and the only required member on 422, and a string with error_type elsewhere',
    read: (spec) => {
      const detected = routerOperations(spec).flatMap(({ responses }) => (responses['422'] ? [responses['422']] : []));
      const bodies = detected.map(({ content }) =>
        accepted(spec.router, content['application/json'], [fieldFailure, failure]),
      );
      return {
        on422: [...new Set(bodies.map((body) => JSON.stringify(body)))],
        elsewhere: acceptedAt(spec.router, `${schemas}/Error`, [
          failure,
          { detail: 'No.' },
          { ...fieldFailure, error_type: 'x' },
        ]),
      };
    },
    want: { on422: [JSON.stringify([fieldFailure])], elsewhere: [failure] },
  },
  {
    ids: ['MR-HDR-02'],
    claim: 'the request id is a string on every response',
    read: (spec) =>
      routerOperations(spec).flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, { headers }]) => {
          const header = headers[headerName(defaultBrand, 'Request-Id')];
          const accepts = header === undefined ? [] : accepted(spec.router, header.schema, ['req_1', 1]);
          return accepts.join() === 'req_1' ? [] : [`${operationId} ${status}`];
        }),
      ),
    want: [],
  },
  {
    ids: ['MR-HDR-31'],
    claim: 'the error type header accepts the known values and any other, on every failure',
    read: (spec) =>
      generalFailures(routerOperations(spec)).filter(({ headers }) => {
        const header = headers[headerName(defaultBrand, 'Error-Type')];
        const words = [...errorTypes, 'queue_backlog_full'];
        return header === undefined || accepted(spec.router, header.schema, [...words, 1]).length !== words.length;
      }),
    want: [],
  },
  {
    ids: ['MR-VER-02'],
    claim: 'queue status and cancel status are closed, error types are open',
    read: ({ router }) => ({
      queue: acceptedAt(router, `${schemas}/QueueStatus`, ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'PAUSED']),
      cancel: acceptedAt(router, `${schemas}/CancelResponse/properties/status`, [
        'CANCELLATION_REQUESTED',
        'ALREADY_COMPLETED',
        'DONE',
      ]),
      error: acceptedAt(router, `${schemas}/ErrorType`, ['cancelled', 'new_one']),
    }),
    want: {
      queue: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'],
      cancel: ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'],
      error: ['cancelled', 'new_one'],
    },
  },
];

proveRows(rows);
