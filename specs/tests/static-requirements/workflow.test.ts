import { isJsonObject, type JsonValue, resolvePointer } from '../../src/json.ts';
import { proveRows } from './prove-rows.ts';
import {
  accepted,
  acceptedAt,
  knownWords,
  line,
  operation,
  propertyNames,
  type Specification,
  type StaticRow,
} from './specification.ts';

const path = '/paths/~1api~1v2~1jobs~1{id}~1workflow';
const schemas = '/components/schemas';
const failure = (code: string): JsonValue => ({ error: { code, message: 'No.' } });
const codes = [
  'invalid_workflow',
  'workflow_format_ui',
  'missing_asset',
  'hash_mismatch',
  'blob_not_found',
  'idempotency_key_reuse',
  'queue_full',
  'insufficient_credits',
  'not_found',
  'unauthorized',
  'forbidden',
  'deployment_not_ready',
  'deployment_stopped',
  'rate_limited',
  'upstream_error',
];

function serverUrls({ workflow }: Specification): JsonValue[] {
  const servers = Array.isArray(workflow['servers']) ? workflow['servers'] : [];
  return servers.map((server) => (isJsonObject(server) ? (server['url'] ?? null) : null));
}

// What callers of version 2 may rely on for ever; append additions, never remove (WX-VER-02).
const published: readonly [pointer: string, value?: JsonValue][] = [
  [`${path}/get/operationId`, 'readJobWorkflow'],
  ...['200', '401', '403', '404', '429', '500'].map((status): [string] => [`${path}/get/responses/${status}`]),
  ...['SavedJobWorkflow', 'ApiJobWorkflow'].flatMap((name): [string, JsonValue][] => [
    [`${schemas}/${name}/required`, ['workflow', 'format']],
  ]),
  [`${schemas}/SavedJobWorkflow/properties/format/const`, 'save'],
  [`${schemas}/ApiJobWorkflow/properties/format/const`, 'api'],
  [`${schemas}/ErrorEnvelope/required`, ['error']],
  [`${schemas}/ErrorEnvelope/properties/error/required`, ['code', 'message']],
];

const rows: readonly StaticRow[] = [
  {
    ids: ['WX-GEN-01'],
    claim: 'every path starts with /api/v2 below a base address that is a setting',
    read: (spec) => ({
      outside: Object.keys(Object(spec.workflow['paths'])).filter((one) => !one.startsWith('/api/v2/')),
      fixed: serverUrls(spec).filter((url) => !String(url).includes('{')),
    }),
    want: { outside: [], fixed: [] },
  },
  {
    ids: ['WX-VER-01'],
    claim: 'the version is in the path and in no parameter',
    read: ({ workflow, operations }) => ({
      paths: Object.keys(Object(workflow['paths'])).map((one) => one.split('/').slice(0, 3).join('/')),
      parameters: operations
        .filter(({ api }) => api === 'workflow-execution')
        .flatMap(({ parameters }) => parameters.filter(({ name }) => /version/i.test(name))),
    }),
    want: { paths: ['/api/v2'], parameters: [] },
  },
  {
    ids: ['WX-VER-02'],
    claim: 'what version 2 has published is still there',
    read: ({ workflow }) => ({
      version: String(resolvePointer(workflow, '/info/version')).split('.')[0],
      lost: published.filter(([pointer, value]) => {
        const found = resolvePointer(workflow, pointer);
        return value === undefined ? found === undefined : JSON.stringify(found) !== JSON.stringify(value);
      }),
      codes: codes.filter((code) => !knownWords(workflow, 'ErrorCode').includes(code)),
    }),
    want: { version: '2', lost: [], codes: [] },
  },
  {
    ids: ['WX-GEN-13'],
    claim: 'the tags are assets and jobs',
    read: ({ workflow }) => {
      const tags = Array.isArray(workflow['tags']) ? workflow['tags'] : [];
      return tags.map((tag) => (isJsonObject(tag) ? tag['name'] : tag));
    },
    want: ['assets', 'jobs'],
  },
  {
    ids: ['WX-GEN-14'],
    claim: 'the address is a deployment of one’s own, the hosted cloud, or a serverless deployment',
    read: serverUrls,
    want: [
      '{base_url}',
      'https://{cloud_host}',
      'https://{deployment}.{serverless_host}',
      'https://{deployment}.staging.{serverless_host}',
    ],
  },
  {
    ids: ['WX-GEN-15'],
    claim: 'the label of a serverless deployment is a subdomain that suits DNS',
    read: ({ workflow }) => {
      const servers = Array.isArray(workflow['servers']) ? workflow['servers'].filter(isJsonObject) : [];
      const labelled = servers.filter(({ url }) => String(url).includes('{deployment}'));
      return labelled.map((server) => [
        String(server['url']).startsWith('https://{deployment}.'),
        /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(String(resolvePointer(server, '/variables/deployment/default'))),
      ]);
    },
    want: Array(2).fill([true, true]),
  },
  {
    ids: ['WX-JWF-01'],
    claim: 'readJobWorkflow is GET /api/v2/jobs/{id}/workflow and answers in one of two formats',
    read: (spec) => ({
      line: line(spec, 'readJobWorkflow'),
      accepts: accepted(
        spec.workflow,
        operation(spec, 'readJobWorkflow')?.responses['200']?.content['application/json'],
        [
          { format: 'save', workflow: {} },
          { format: 'api', workflow: {} },
          { format: 'ui', workflow: {} },
          { format: 'api' },
        ],
      ),
    }),
    want: {
      line: 'GET /api/v2/jobs/{id}/workflow',
      accepts: [
        { format: 'save', workflow: {} },
        { format: 'api', workflow: {} },
      ],
    },
  },
  {
    ids: ['WX-JWF-02'],
    claim: 'id is a required string in the path, of no stated format',
    read: (spec) => {
      const id = operation(spec, 'readJobWorkflow')?.parameters.find(({ name }) => name === 'id');
      const accepts = accepted(spec.workflow, id?.schema, ['8d4e7a10', 'Job 1/ü', 7]);
      return { in: id?.in, required: id?.required, accepts, format: Object(id?.schema)['format'] };
    },
    want: { in: 'path', required: true, accepts: ['8d4e7a10', 'Job 1/ü'], format: undefined },
  },
  {
    ids: ['WX-JWF-06'],
    claim: 'workflow is an object with members of any name and kind',
    read: ({ workflow }) => ({
      accepts: acceptedAt(workflow, `${schemas}/Workflow`, [{}, { 3: { inputs: [1] }, 'any name': null }, [], null]),
      named: propertyNames({ of: resolvePointer(workflow, `${schemas}/Workflow`) ?? null }),
    }),
    want: { accepts: [{}, { 3: { inputs: [1] }, 'any name': null }], named: [] },
  },
  {
    ids: ['WX-JWF-24'],
    claim: 'the caller can choose nothing but the job',
    read: (spec) => {
      const found = operation(spec, 'readJobWorkflow');
      return { parameters: found?.parameters.map(({ name }) => name), body: found?.requestBody };
    },
    want: { parameters: ['id'], body: undefined },
  },
  {
    ids: ['WX-JWF-33'],
    claim: 'the workflow is a resource below the job and no member of a job record',
    read: ({ workflow }) => ({
      own: Object.keys(Object(workflow['paths'])).filter((one) => one.endsWith('/jobs/{id}/workflow')),
      holders: Object.entries(Object(resolvePointer(workflow, schemas)))
        .filter(([, schema]) => isJsonObject(schema) && resolvePointer(schema, '/properties/workflow') !== undefined)
        .map(([name]) => name),
    }),
    want: { own: ['/api/v2/jobs/{id}/workflow'], holders: ['SavedJobWorkflow', 'ApiJobWorkflow'] },
  },
  {
    ids: ['WX-ERR-06'],
    claim: 'details are free in form, such as lists of field and reason by node id',
    read: ({ workflow }) => {
      const details = [{ 3: [{ field: 'steps', reason: 'too few' }] }, { any: 1 }, {}, null];
      const errors = details.map((one) => ({ error: { code: 'invalid_workflow', message: 'No.', details: one } }));
      return acceptedAt(workflow, `${schemas}/ErrorEnvelope`, errors).length;
    },
    want: 4,
  },
  {
    ids: ['WX-COD-24'],
    claim: 'every operation lists 500 upstream_error',
    read: ({ workflow, operations }) =>
      operations
        .filter(({ api }) => api === 'workflow-execution')
        .map(({ responses }) =>
          accepted(workflow, responses['500']?.content['application/json'] ?? false, [failure('upstream_error')]),
        ),
    want: [[failure('upstream_error')]],
  },
  {
    ids: ['WX-COD-27'],
    claim: 'fifteen codes are known',
    read: ({ workflow }) => [...knownWords(workflow, 'ErrorCode')].sort(),
    want: [...codes].sort(),
  },
  {
    ids: ['WX-AUT-02'],
    claim: 'no header but the bearer’s carries a credential',
    read: ({ workflow }) => ({
      schemes: Object.values(Object(resolvePointer(workflow, '/components/securitySchemes'))).map((scheme) =>
        isJsonObject(scheme) ? `${scheme['type']} ${scheme['scheme']}` : scheme,
      ),
      named: JSON.stringify(workflow).includes('X-API-Key'),
    }),
    want: { schemes: ['http bearer'], named: false },
  },
  {
    ids: ['WX-AUT-06'],
    claim: 'a bearer credential, or none',
    read: (spec) => operation(spec, 'readJobWorkflow')?.security,
    want: [{ bearer: [] }, {}],
  },
];

proveRows(rows);
