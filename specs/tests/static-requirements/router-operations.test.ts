import { resolvePointer } from '../../src/json.ts';
import { proveRows } from './prove-rows.ts';
import { line, operation, parameter, routerOperations, type StaticRow } from './specification.ts';

const parameters = '/components/parameters';
const text = (length: number): string => 'c'.repeat(length);

const surface = {
  listModels: 'GET /v2/models',
  readModel: 'GET /v2/models/{provider}/{model}',
  runModel: 'POST /v2/models/{provider}/{model}',
  readSchemaDocument: 'GET /v2/models/{provider}/{model}/openapi.json',
  submitRequest: 'POST /v2/models/{provider}/{model}/requests',
  collectRequest: 'GET /v2/models/{provider}/{model}/requests/{request_id}',
  readStatus: 'GET /v2/models/{provider}/{model}/requests/{request_id}/status',
  cancelRequest: 'PUT /v2/models/{provider}/{model}/requests/{request_id}/cancel',
};

function operationRow(id: string, operationId: keyof typeof surface): StaticRow {
  return {
    ids: [id],
    claim: `${operationId} is ${surface[operationId]}`,
    read: (spec) => line(spec, operationId),
    want: surface[operationId],
  };
}

function segmentRow(id: string, name: 'provider' | 'model', longest: number): StaticRow {
  const values = ['a', 'a-1', text(longest), text(longest + 1), '', 'A', 'a/b', 1];
  return {
    ids: [id],
    claim: `${name} is a slug of at most ${longest} characters on every model route`,
    read: (spec) =>
      routerOperations(spec)
        .filter(({ operationId }) => operationId !== 'listModels')
        .map(({ operationId }) => parameter(spec, [operationId, name], values)),
    want: Array(7).fill({ in: 'path', required: true, accepts: ['a', 'a-1', text(longest)] }),
  };
}

function keyRows(
  ids: readonly [place: string, length: string],
  operationId: 'runModel' | 'submitRequest',
): StaticRow[] {
  const key = [operationId, 'Idempotency-Key'] as const;
  return [
    {
      ids: [ids[0]],
      claim: `${operationId} has an optional header Idempotency-Key, a string`,
      read: (spec) => parameter(spec, key, ['k', 1]),
      want: { in: 'header', required: false, accepts: ['k'] },
    },
    {
      ids: [ids[1]],
      claim: `the key of ${operationId} has 1 to 255 characters`,
      read: (spec) => parameter(spec, key, ['', 'k', text(255), text(256)])?.accepts,
      want: ['k', text(255)],
    },
  ];
}

const rows: readonly StaticRow[] = [
  {
    ids: ['MR-GEN-02'],
    claim: 'every path starts with /v2 below a base address that is a setting',
    read: ({ router }) => ({
      outside: Object.keys(Object(router['paths'])).filter((path) => !path.startsWith('/v2/')),
      bases: resolvePointer(router, '/servers/0/url'),
    }),
    want: { outside: [], bases: '{base_url}' },
  },
  {
    ids: ['MR-VER-01'],
    claim: 'the version is in the path and in no parameter',
    read: (spec) => {
      const named = routerOperations(spec).flatMap((one) => one.parameters.filter(({ name }) => /version/i.test(name)));
      return { parameters: named, unversioned: routerOperations(spec).filter(({ path }) => !/^\/v2\b/.test(path)) };
    },
    want: { parameters: [], unversioned: [] },
  },
  {
    ids: ['MR-GEN-04'],
    claim: 'the surface is eight operations',
    read: (spec) =>
      routerOperations(spec)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    want: Object.values(surface).sort(),
  },
  operationRow('MR-CAT-01', 'listModels'),
  operationRow('MR-MOD-01', 'readModel'),
  operationRow('MR-RUN-01', 'runModel'),
  operationRow('MR-SCH-01', 'readSchemaDocument'),
  operationRow('MR-SUB-01', 'submitRequest'),
  operationRow('MR-COL-01', 'collectRequest'),
  operationRow('MR-STA-01', 'readStatus'),
  operationRow('MR-CAN-01', 'cancelRequest'),
  {
    ids: ['MR-CAT-03'],
    claim: 'cursor is an optional string in the query',
    read: (spec) => parameter(spec, ['listModels', 'cursor'], ['c_1', 1, null]),
    want: { in: 'query', required: false, accepts: ['c_1'] },
  },
  {
    ids: ['MR-CAT-04'],
    claim: 'cursor has 1 to 512 characters',
    read: (spec) => parameter(spec, ['listModels', 'cursor'], ['', 'c', text(512), text(513)])?.accepts,
    want: ['c', text(512)],
  },
  {
    ids: ['MR-CAT-11'],
    claim: 'limit is an optional integer in the query, of any size',
    read: (spec) => parameter(spec, ['listModels', 'limit'], [20, 0, -5, 5000, 1.5, '20']),
    want: { in: 'query', required: false, accepts: [20, 0, -5, 5000] },
  },
  segmentRow('MR-MOD-02', 'provider', 64),
  segmentRow('MR-MOD-03', 'model', 128),
  ...keyRows(['MR-RUN-03', 'MR-RUN-04'], 'runModel'),
  ...keyRows(['MR-SUB-03', 'MR-SUB-04'], 'submitRequest'),
  {
    ids: ['MR-RUN-05'],
    claim: 'model_provider is an optional string in the query',
    read: (spec) => parameter(spec, ['runModel', 'model_provider'], ['any', 1]),
    want: { in: 'query', required: false, accepts: ['any'] },
  },
  {
    ids: ['MR-RUN-07'],
    claim: 'strict_mode is a boolean that is false unless sent',
    read: (spec) => ({
      ...parameter(spec, ['runModel', 'strict_mode'], [true, false, 'yes']),
      default: resolvePointer(spec.router, `${parameters}/StrictMode/schema/default`),
    }),
    want: { in: 'query', required: false, accepts: [true, false], default: false },
  },
  {
    ids: ['MR-RUN-09'],
    claim: 'fallback_provider is an optional string in the query',
    read: (spec) => parameter(spec, ['runModel', 'fallback_provider'], ['any', true]),
    want: { in: 'query', required: false, accepts: ['any'] },
  },
  {
    ids: ['MR-RUN-14'],
    claim: 'model_provider and fallback_provider are strings without any bound',
    read: ({ router }) =>
      ['ModelProvider', 'FallbackProvider'].map((name) => resolvePointer(router, `${parameters}/${name}/schema`)),
    want: [{ type: 'string' }, { type: 'string' }],
  },
  {
    ids: ['MR-SCH-02'],
    claim: 'the schema document has an optional header If-None-Match, a string',
    read: (spec) => parameter(spec, ['readSchemaDocument', 'If-None-Match'], ['"a"', 'W/"a"', '*', 1]),
    want: { in: 'header', required: false, accepts: ['"a"', 'W/"a"', '*'] },
  },
  {
    ids: ['MR-SUB-05'],
    claim: 'submit has no query parameters; the three of a run are the run’s alone',
    read: (spec) =>
      routerOperations(spec).flatMap(({ operationId, parameters: all }) => {
        const query = all.filter((one) => one.in === 'query').map(({ name }) => name);
        return query.length > 0 ? [[operationId, ...query]] : [];
      }),
    want: [
      ['listModels', 'cursor', 'limit'],
      ['runModel', 'model_provider', 'strict_mode', 'fallback_provider'],
    ],
  },
  {
    ids: ['MR-COL-02'],
    claim: 'request_id on collect, status and cancel is a lowercase UUID of at most 36 characters',
    read: (spec) => ({
      facts: ['collectRequest', 'readStatus', 'cancelRequest'].map((id) =>
        parameter(spec, [id, 'request_id'], ['7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa', text(37), '']),
      ),
      described: /lowercase UUID/.test(String(resolvePointer(spec.router, `${parameters}/RequestId/description`))),
    }),
    want: {
      facts: Array(3).fill({ in: 'path', required: true, accepts: ['7f2c1a52-9f3b-4c57-8d2e-1b7a55c0e6aa'] }),
      described: true,
    },
  },
  {
    ids: ['MR-IDM-55'],
    claim: 'keys and the mark of a replay belong to run and submit alone',
    read: (spec) => ({
      keyed: routerOperations(spec)
        .filter((one) => one.parameters.some(({ name }) => name === 'Idempotency-Key'))
        .map(({ operationId }) => operationId),
      replayed: routerOperations(spec)
        .filter((one) => Object.values(one.responses).some(({ headers }) => 'Idempotent-Replayed' in headers))
        .map(({ operationId }) => operationId),
    }),
    want: { keyed: ['runModel', 'submitRequest'], replayed: ['runModel', 'submitRequest'] },
  },
  {
    ids: ['MR-LIM-14'],
    claim: 'limits without a number show as 409, 413 or 429, or as queue_timeout',
    read: (spec) => ({
      run: ['409', '413', '429'].filter((status) => status in (operation(spec, 'runModel')?.responses ?? {})),
      queued: resolvePointer(
        spec.router,
        '/components/responses/RequestFailed/content/application~1json/examples/queue_timeout/value/error_type',
      ),
      collected: '410' in (operation(spec, 'collectRequest')?.responses ?? {}),
    }),
    want: { run: ['409', '413', '429'], queued: 'queue_timeout', collected: true },
  },
  {
    ids: ['MR-EVT-01'],
    claim: 'no events, webhooks or callbacks are declared',
    read: ({ router }) => /"(?:webhooks|callbacks)":|text\/event-stream/.test(JSON.stringify(router)),
    want: false,
  },
];

proveRows(rows);
